// Vertices that know their block: the shader looks the pose of the block up in a texture.

import * as three from "three";

const WIDTH = 512;

const POSE = `
attribute float block;
uniform sampler2D poses;
vec4 poseTexel(float at) { return texelFetch(poses, ivec2(int(mod(at, ${WIDTH}.0)), int(floor(at / ${WIDTH}.0))), 0); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

/** A texture with room for the poses of so many blocks, two texels each. */
export function poseTexture(blocks: number): three.DataTexture {
  const rows = Math.max(1, Math.ceil((2 * blocks) / WIDTH));
  return new three.DataTexture(new Float32Array(4 * rows * WIDTH), WIDTH, rows, three.RGBAFormat, three.FloatType);
}

/** Makes a shader move each vertex with its block. */
export function posed(shader: { vertexShader: string; uniforms: Record<string, three.IUniform> }, texture: three.DataTexture): void {
  shader.uniforms["poses"] = { value: texture };
  shader.vertexShader = (POSE + shader.vertexShader)
    .replace("#include <beginnormal_vertex>", "#include <beginnormal_vertex>\nobjectNormal = turned(poseTexel(2.0 * block + 1.0), objectNormal);")
    .replace("#include <begin_vertex>", "vec3 transformed = poseTexel(2.0 * block).xyz + turned(poseTexel(2.0 * block + 1.0), position);");
}
