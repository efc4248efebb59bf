// From where a structure is looked at.

import { Vector3 } from "three";

/** Names of the views and from where they look; planar structures are seen nearly from the front. */
export function viewpoints(free: boolean[]): [string, Vector3][] {
  const planar = [0, 1, 2].find((k) => !free[k]);
  const corner = planar === 1 ? new Vector3(0.3, -1, 0.22) : planar === 0 ? new Vector3(1, -0.3, 0.22) : new Vector3(0.55, -0.8, 0.38);
  return [
    ["3D", corner],
    ["Front", new Vector3(0, -1, 0)],
    ["Side", new Vector3(1, 0, 0)],
    ["Top", new Vector3(0, -0.001, 1)],
  ];
}
