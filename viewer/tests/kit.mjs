// Runs models, opens their pages in a browser, and minds what the browser says.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parquetReadObjects } from "hyparquet";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.DRYSTONE ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/drystone");
const folder = mkdtempSync(join(tmpdir(), "drystone-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const same = (text) => text;

/** Writes the model of an example, its text changed. */
function written(example, change) {
  const model = join(folder, `${example}.toml`);
  const text = readFileSync(join(root, "examples", example, "model.toml"), "utf8");
  const changed = change(text);
  if (changed === text && change !== same) throw new Error(`${example}: nothing was changed`);
  writeFileSync(model, changed);
  return model;
}

/** Runs analyses of an example, its text changed; returns the folder of results. */
export function run(example, names, change = same) {
  const model = written(example, change);
  const out = join(folder, example);
  execFileSync(program, ["run", model, "--out", out, "--overwrite", ...names.flatMap((name) => ["--only", name])], { stdio: ["ignore", "ignore", "inherit"] });
  return out;
}

/** Exports the results of an example that was run; returns the folder. */
export function exported(example, results, format, more = []) {
  const out = join(folder, `${example}-${format}`);
  execFileSync(program, ["export", join(folder, `${example}.toml`), results, out, "--to", format, ...more], { stdio: ["ignore", "ignore", "inherit"] });
  return out;
}

/** Begins a run that serves its page; returns the address, the folder of results and a promise of how it ended. */
export async function watch(example, names, change = same) {
  const model = written(example, change);
  const out = join(folder, `${example}-watched`);
  const child = spawn(program, ["run", model, "--watch", "--out", out, "--overwrite", ...names.flatMap((name) => ["--only", name])], { stdio: ["ignore", "ignore", "pipe"] });
  let told = "";
  const ended = new Promise((done) => child.on("close", (code) => done({ code, told: () => told })));
  const address = await new Promise((done, fail) => {
    child.stderr.on("data", (text) => {
      told += text;
      const found = told.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32,}\/\n/);
      if (found !== null) done(found[0].trim());
    });
    ended.then(() => fail(new Error(told)));
  });
  return { address, out, ended, end: () => child.kill("SIGKILL") };
}

/** Poses by frame and block from the results file, read by an independent reader. */
export async function poses(results) {
  const bytes = readFileSync(join(results, "motion.parquet"));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const frames = [];
  for (const row of await parquetReadObjects({ file })) {
    const frame = (frames[Number(row.frame)] ??= { time: row.time, blocks: [] });
    frame.blocks[Number(row.block)] = ["x", "y", "z", "qx", "qy", "qz", "qw"].map((key) => row[key]);
  }
  return frames;
}

export async function browser() {
  const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path !== undefined && existsSync(path));
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });
}

/** Opens the page of an analysis. `faults` collects whatever the browser complains about, and every request but that for the page. */
export async function open(program, results, options = {}) {
  const address = pathToFileURL(join(results, "report.html")).href;
  return visit(program, address, (url) => url === address || url.startsWith("blob:"), options);
}

/** Opens any page; requests that are not `allowed` are faults. */
export async function visit(program, address, allowed, options = {}) {
  const context = await program.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall")) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!allowed(request.url())) faults.push(`request ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector("html[data-viewer]", { state: "attached" });
  return { page, faults, close: () => context.close() };
}

/** Two frames of the browser later everything asked for has been drawn. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => window.requestAnimationFrame(() => window.requestAnimationFrame(() => done(null)))));
