use super::*;

fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// Whole numbers of `width` bytes, `per_frame` of them in a frame.
fn unsqueezed(text: &str, per_frame: usize, width: usize) -> Vec<i32> {
    let mut planes = Vec::new();
    let packed = bytes(text);
    std::io::Read::read_to_end(
        &mut flate2::read::DeflateDecoder::new(&packed[..]),
        &mut planes,
    )
    .unwrap();
    let count = planes.len() / width;
    let mut values: Vec<i32> = Vec::with_capacity(count);
    for k in 0..count {
        let mut word = (0..width).fold(0_i32, |word, p| {
            word | i32::from(planes[p * count + k]) << (8 * p)
        });
        if k >= per_frame {
            word = word.wrapping_add(values[k - per_frame]);
        }
        values.push(if width == 2 {
            i32::from(word as i16)
        } else {
            word
        });
    }
    values
}

#[test]
fn base64_is_that_of_the_standard() {
    for (plain, coded) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(base64(plain.bytes()), coded);
        assert_eq!(bytes(coded), plain.as_bytes());
    }
}

fn row(count: usize) -> Model {
    let corners = |[x0, x1]: [f64; 2], [z0, z1]: [f64; 2]| {
        let corners =
            [x0, x1].map(|x| [0, 1].map(|y| [z0, z1].map(|z| format!("[{x}, {y}, {z}]"))));
        corners.as_flattened().as_flattened().join(", ")
    };
    let mut text = format!(
        "[model]\nname = \"row\"\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.7\n\
         [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n",
        corners([-1.0, 2.0 * count as f64], [-1.0, 0.0])
    );
    for k in 0..count {
        let x = 2.0 * k as f64;
        text.push_str(&format!(
            "[[block]]\nname = \"b{k}\"\nmaterial = \"stone\"\nvertices = [{}]\n",
            corners([x, x + 1.0], [0.0, 1.0])
        ));
    }
    text.push_str("[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n");
    drystone_model::from_toml(&text).unwrap()
}

/// Frames in which blocks go `far` and turn.
fn moved(model: &Model, count: usize, far: f64) -> Vec<(f64, Vec<Pose>)> {
    let one = |k: usize| {
        let phase = k as f64 / (count - 1) as f64;
        let pose = |(b, block): (usize, &drystone_model::Block)| {
            if block.support {
                return Pose::at(block.position);
            }
            let axis = DVec3::new(1.0, b as f64, -0.3).normalize();
            Pose {
                position: block.position + far * phase * DVec3::new(0.31, -0.77, (b as f64).sin()),
                rotation: DQuat::from_axis_angle(axis, 5.0 * phase),
            }
        };
        (phase, model.blocks.iter().enumerate().map(pose).collect())
    };
    (0..count).map(one).collect()
}

#[test]
fn poses_come_back_within_half_a_step() {
    let model = row(5);
    let size = crate::report::size(&model);
    for far in [1e-6, 0.01, 3.0, 500.0] {
        let frames = moved(&model, 7, far);
        let packed = PackedMotion::new(&model, &frames, size, 1);
        assert!(packed.step <= size / 65535.0, "{far}: {}", packed.step);
        assert_eq!(packed.bits, if far > 100.0 { 32 } else { 16 });
        let moving: Vec<u32> = bytes(&packed.blocks)
            .chunks(4)
            .map(|four| u32::from_le_bytes(four.try_into().unwrap()))
            .collect();
        assert_eq!(moving, [1, 2, 3, 4, 5], "supports that stay take no room");
        let positions = unsqueezed(&packed.positions, 15, usize::from(packed.bits / 8));
        let whole = |k: usize| positions[k];
        let turns = unsqueezed(&packed.rotations, 20, 2);
        for (f, (_, poses)) in frames.iter().enumerate() {
            for (slot, &block) in moving.iter().enumerate() {
                let (k, block) = (f * moving.len() + slot, block as usize);
                let way = DVec3::from_array(std::array::from_fn(|i| f64::from(whole(3 * k + i))));
                let found = model.blocks[block].position + packed.step * way;
                let error = (found - poses[block].position).abs().max_element();
                // Half a step, and the rounding of coordinates of some ten metres.
                assert!(error <= 0.5 * packed.step + 1e-14, "{far}: {error}");
                let turn: [f64; 4] = std::array::from_fn(|i| f64::from(turns[4 * k + i]));
                let turn = DQuat::from_array(turn).normalize();
                // Four components to half of 1/32767 each, twice that as an angle.
                assert!(turn.angle_between(poses[block].rotation) < 1.3e-4);
            }
        }
    }
}

#[test]
fn two_hundred_blocks_and_twenty_seconds_stay_light() {
    let model = row(200);
    let stride = stride(&model, 2001);
    assert!(stride <= 2, "{stride}");
    let frames = moved(&model, 2001_usize.div_ceil(stride), 500.0);
    let packed = PackedMotion::new(&model, &frames, crate::report::size(&model), stride);
    let length = serde_json::to_string(&packed).unwrap().len();
    // With a viewer of less than one million bytes and histories of less than one, under ten.
    assert!(length < 8_000_000, "{length}");
}

#[test]
fn nothing_that_stays_takes_room() {
    let model = row(2);
    let frames: Vec<_> = moved(&model, 3, 0.0)
        .into_iter()
        .map(|(time, _)| {
            (
                time,
                model.blocks.iter().map(|b| Pose::at(b.position)).collect(),
            )
        })
        .collect();
    let packed = PackedMotion::new(&model, &frames, 1.0, 1);
    assert!(packed.blocks.is_empty() && packed.positions.is_empty());
}
