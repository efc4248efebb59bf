import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, drawn, open, poses, run } from "./kit.mjs";

let chromium;
const results = {};

before(async () => {
  chromium = await browser();
  results.arch = run("oppenheim-arch", ["collapse", "limit", "stands"]);
  // The first second at long steps: blocks slide by centimetres.
  results.spandrel = run("spandrel-arch", ["slow-sine", "stands"], (text) =>
    text.replace("dt = 0.001\nduration = 6.0\noutput_every = 0.02", "dt = 0.004\nduration = 0.8\noutput_every = 0.02"),
  );
});

after(() => chromium?.close());

const cases = [
  ["arch", "collapse", 3.2],
  ["spandrel", "slow-sine", 0.8],
];

for (const [structure, analysis, late] of cases) {
  test(`${structure}: the slider moves blocks to where the results file has them`, async () => {
    const folder = `${results[structure]}/${analysis}`;
    const { page, faults, close } = await open(chromium, folder);
    const canvas = page.locator("#canvas canvas");
    await drawn(page);
    const first = await canvas.screenshot();
    await page.locator("#time").evaluate((input, t) => {
      input.value = String(t);
      input.dispatchEvent(new window.Event("input"));
    }, late);
    await drawn(page);
    const second = await canvas.screenshot();
    assert.ok(!first.equals(second), "no pixel has changed");

    const frames = await poses(folder);
    const found = await page.evaluate(() => {
      const d = window.drystone;
      return { step: d.step, times: d.times, poses: d.times.map((t) => d.names.map((_, b) => d.pose(b, t))) };
    });
    assert.ok(found.times.length > 20);
    const byTime = new Map(frames.map((frame) => [frame.time, frame.blocks]));
    let farthest = 0;
    found.times.forEach((time, f) => {
      const expected = byTime.get(time);
      assert.ok(expected, `the results have no frame at ${time} s`);
      expected.forEach((pose, b) => {
        for (let k = 0; k < 3; k++) {
          assert.ok(Math.abs(found.poses[f][b][k] - pose[k]) <= 0.5 * found.step + 1e-12, `block ${b} at ${time} s`);
          farthest = Math.max(farthest, Math.abs(pose[k] - frames[0].blocks[b][k]));
        }
        // Of a rotation and its negative both are right; components are rounded to 1/32767.
        const dot = [3, 4, 5, 6].reduce((sum, k) => sum + found.poses[f][b][k] * pose[k], 0);
        assert.ok(Math.abs(dot) > 1 - 1e-8, `rotation of block ${b} at ${time} s`);
      });
    });
    assert.ok(farthest > 0.01, `blocks moved by ${farthest} m only`);
    // What is drawn is where the slider stands.
    const [shown, asked] = await page.evaluate(() => [window.drystone.drawn(2), window.drystone.pose(2, window.drystone.time())]);
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(shown[k] - asked[k]) < 1e-5);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${structure}: a click picks the block under it, and its history appears`, async () => {
    const { page, faults, close } = await open(chromium, `${results[structure]}/${analysis}`);
    await page.keyboard.press("2");
    await drawn(page);
    const box = await page.locator("#canvas").boundingBox();
    const blocks = await page.evaluate(() => window.drystone.names.map((name, b) => ({ name, b, at: window.drystone.pixel(b), support: window.drystone.support[b] })));
    const free = blocks.filter((block) => !block.support);
    for (const block of [free[0], free[3], free[free.length - 1]]) {
      await page.mouse.click(box.x + block.at[0], box.y + block.at[1]);
      assert.equal(await page.evaluate(() => window.drystone.chosen()), block.b, block.name);
      assert.equal(await page.locator("#side dd").first().textContent(), block.name);
    }
    assert.ok((await page.evaluate(() => window.drystone.plots()))[0] !== undefined);
    assert.ok((await page.locator(".plot figcaption").allTextContents()).some((text) => text.includes(free[free.length - 1].name)));
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.drystone.chosen()), -1);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${structure}: plots and the view have one time`, async () => {
    const { page, faults, close } = await open(chromium, `${results[structure]}/${analysis}`);
    const length = await page.evaluate(() => window.drystone.times.at(-1));
    const agree = async (expected) => {
      const [time, cursors] = await page.evaluate(() => [window.drystone.time(), window.drystone.cursors()]);
      assert.ok(Math.abs(time - expected) < 0.01 * length, `${time} instead of ${expected}`);
      assert.ok(cursors.length >= 3);
      // A pixel of a plot is about a four-hundredth of the time.
      for (const cursor of cursors) assert.ok(Math.abs(cursor - time) < 0.005 * length, `${cursor} and ${time}`);
    };
    await page.evaluate((t) => window.drystone.setTime(t), 0.6 * length);
    await agree(0.6 * length);
    const over = page.locator(".plot .u-over").first();
    await over.scrollIntoViewIfNeeded();
    const area = await over.boundingBox();
    await page.mouse.click(area.x + 0.25 * area.width, area.y + 0.5 * area.height);
    await agree(0.25 * length);
    assert.deepEqual(faults, []);
    await close();
  });
}

test("joints of a run are coloured and tell how they open; hinges are marked", async () => {
  const folder = `${results.arch}/collapse`;
  const { page, faults, close } = await open(chromium, folder);
  await page.keyboard.press("2");
  await page.evaluate(() => window.drystone.setTime(2.0));
  await drawn(page);
  const canvas = page.locator("#canvas canvas");
  const plain = await canvas.screenshot();
  await page.locator("#measure").selectOption("opening");
  await drawn(page);
  const coloured = await canvas.screenshot();
  assert.ok(!plain.equals(coloured), "joints are not coloured");
  await page.locator("#hinges").check();
  await drawn(page);
  assert.ok((await page.evaluate(() => window.drystone.hinges())) >= 3, "a rocking arch has hinges");
  assert.ok(!coloured.equals(await canvas.screenshot()));

  // A joint is found by a click, and what is told of it follows from the poses in the results file.
  await page.keyboard.press("1");
  await drawn(page);
  const box = await page.locator("#canvas").boundingBox();
  const hit = await page.evaluate(([width, height]) => {
    for (let y = 0; y < height; y += 4) for (let x = 0; x < width; x += 4) if (window.drystone.jointAt(x, y) >= 0) return [x, y, window.drystone.jointAt(x, y)];
    return null;
  }, [box.width, box.height]);
  assert.ok(hit, "no joint can be seen");
  await page.mouse.click(box.x + hit[0], box.y + hit[1]);
  assert.equal(await page.evaluate(() => window.drystone.chosenJoint()), hit[2]);
  assert.ok((await page.locator(".plot figcaption").allTextContents()).some((text) => text.startsWith("Joint ")));
  assert.ok((await page.locator(".plot figcaption").allTextContents()).some((text) => text.startsWith("Force in joint ")));
  const frames = await poses(folder);
  const { blocks, all } = await page.evaluate(() => {
    const d = window.drystone;
    const blocks = d.jointBlocks();
    return { blocks, all: Array.from({ length: blocks.length / 2 }, (_, k) => d.joint(k, 2.0)) };
  });
  const frame = frames.find((each) => Math.abs(each.time - 2.0) < 1e-9);
  all.forEach((joint, k) => {
    const turn = [0, 1].map((side) => frame.blocks[blocks[2 * k + side]].slice(3));
    const dot = Math.abs(turn[0].reduce((sum, v, i) => sum + v * turn[1][i], 0));
    const angle = 2 * Math.acos(Math.min(dot, 1));
    // Joints are 1.5 m high: their opening is that times the sine of the angle between the blocks. Rotations in the page are rounded to 1/32767.
    assert.ok(Math.abs(joint.opening - joint.closest - 1.5 * Math.sin(angle)) < 3e-4, `joint ${k}: ${joint.opening - joint.closest} and ${1.5 * Math.sin(angle)}`);
  });
  assert.ok(all.some((joint) => joint.opening > 0.01));
  assert.deepEqual(faults, []);
  await close();
});

test("how well steps were solved is plotted, and keys are explained", async () => {
  const { page, faults, close } = await open(chromium, `${results.arch}/collapse`);
  const plots = await page.evaluate(() => window.drystone.plots());
  for (const title of ["Energy that contacts do not explain", "Residual of each step", "Deepest penetration"]) assert.ok(plots.includes(title), `${title} in ${plots}`);
  await page.keyboard.press("?");
  assert.equal(await page.locator("#help").isVisible(), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#help").isVisible(), false);
  assert.deepEqual(faults, []);
  await close();
});

test("a mechanism plays by itself, and its hinges can be hidden", async () => {
  const { page, faults, close } = await open(chromium, `${results.arch}/limit`, { colorScheme: "dark" });
  assert.equal(await page.evaluate(() => window.drystone.playing()), true);
  await page.keyboard.press("Space");
  const rest = await page.evaluate(() => (window.drystone.setTime(0), window.drystone.drawn(3)));
  const moved = await page.evaluate(() => (window.drystone.setTime(1), window.drystone.drawn(3)));
  assert.ok(Math.hypot(...[0, 1, 2].map((k) => moved[k] - rest[k])) > 0.1);
  await drawn(page);
  const marked = await page.locator("#canvas canvas").screenshot();
  await page.locator("#hinges").uncheck();
  await drawn(page);
  assert.ok(!marked.equals(await page.locator("#canvas canvas").screenshot()));
  assert.deepEqual(faults, []);
  await close();
});

test("joints are coloured, groups hide, small screens and paper work", async () => {
  const { page, faults, close } = await open(chromium, `${results.spandrel}/stands`, { viewport: { width: 390, height: 800 } });
  await drawn(page);
  const canvas = page.locator("#canvas canvas");
  const plain = await canvas.screenshot();
  await page.locator("#measure").selectOption("friction");
  await drawn(page);
  const coloured = await canvas.screenshot();
  assert.ok(!plain.equals(coloured));
  // What is cut away can no longer be picked.
  const top = await page.evaluate(() => {
    const d = window.drystone;
    const at = d.pixel(d.names.indexOf("wall.course11.block14"));
    return [...at, d.pick(...at)];
  });
  assert.ok(top[2] >= 0);
  await page.locator("#cut").selectOption("z");
  assert.notEqual(await page.evaluate(([x, y]) => window.drystone.pick(x, y), top), top[2]);
  await page.locator("#cut").selectOption("none");
  await page.locator("#group-0").uncheck();
  await drawn(page);
  assert.ok(!coloured.equals(await canvas.screenshot()));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "the page is wider than the screen");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#viewer").isVisible(), false);
  assert.equal(await page.locator("#still svg").first().isVisible(), true);
  assert.deepEqual(faults, []);
  await close();
});
