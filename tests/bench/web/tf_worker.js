// The same training steps in TensorFlow.js: its operations, its differentiation, its Adam, its WebAssembly backend.
import * as Comlink from "comlink";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";

/**
 * A case as `Case.exported` in tests/bench/steps/case.py gives it.
 * @typedef {object} Case
 * @property {Record<string, number>} model
 * @property {Record<string, number>} train
 * @property {[string, number[]][]} layout   names and shapes, in the order of theta
 * @property {number[]} theta
 * @property {number[][]} tokens             one (B*T) list per batch
 * @property {number[][]} targets
 */

/** @type {Case} */
let run;
/** @type {{tokens: any, targets: any}[]} one-hot, (N, V): the backend has no gradient for gathering rows */
let batches = [];
/** @type {Record<string, any>} */
let w = {};
/** @type {any} */
let adam;

/** The initial weights, and an Adam that has taken no step. */
function restart() {
  let start = 0;
  for (const [name, shape] of run.layout) {
    const size = shape.reduce((a, b) => a * b, 1);
    const values = tf.tensor(run.theta.slice(start, start + size), shape);
    if (w[name]) w[name].assign(values);
    else w[name] = tf.variable(values);
    values.dispose();
    start += size;
  }
  adam?.dispose();
  const { learning_rate, beta1, beta2, adam_eps } = run.train;
  adam = tf.train.adam(learning_rate, beta1, beta2, adam_eps);
}

/** @param {any} x (N, d) @param {any} gain (d,) */
function norm(x, gain) {
  const meanSquare = tf.mean(tf.square(x), -1, true); // (N, 1)
  return tf.mul(tf.mul(x, tf.rsqrt(tf.add(meanSquare, run.model.rms_eps))), gain);
}

/** @param {any} h (N, d) @param {string} at */
function attend(h, at) {
  const { seq_len: T, d_model: d, n_heads: H } = run.model;
  const heads = (/** @type {string} */ name) =>
    tf.transpose(tf.reshape(tf.matMul(h, w[at + name]), [-1, T, H, d / H]), [0, 2, 1, 3]); // (B, H, T, d_k)
  const scores = tf.mul(tf.matMul(heads("W_Q"), heads("W_K"), false, true), (d / H) ** -0.5);
  const O = tf.matMul(tf.softmax(scores), heads("W_V")); // (B, H, T, d_k)
  return tf.matMul(tf.reshape(tf.transpose(O, [0, 2, 1, 3]), [-1, d]), w[`${at}W_O`]);
}

/** @param {any} h (N, d) @param {string} at */
function feed(h, at) {
  const gate = tf.matMul(h, w[`${at}W_gate`]);
  const hidden = tf.mul(tf.mul(gate, tf.sigmoid(gate)), tf.matMul(h, w[`${at}W_up`]));
  return tf.matMul(hidden, w[`${at}W_down`]);
}

/** @param {{tokens: any, targets: any}} batch */
function loss({ tokens, targets }) {
  const { n_layers, seq_len: T, d_model: d } = run.model;
  const embedded = tf.reshape(tf.matMul(tokens, w["embed.tokens"]), [-1, T, d]);
  let x = tf.reshape(tf.add(embedded, w["embed.positions"]), [-1, d]); // (N, d)
  for (let layer = 0; layer < n_layers; layer++) {
    const at = `layers.${layer}.`;
    x = tf.add(x, attend(norm(x, w[`${at}norm_attn`]), at));
    x = tf.add(x, feed(norm(x, w[`${at}norm_ffn`]), at));
  }
  const logits = tf.matMul(norm(x, w.norm_out), w.W_U); // (N, V)
  return tf.losses.softmaxCrossEntropy(targets, logits);
}

/** One step; its loss. @param {number} index */
function step(index) {
  const batch = batches[index % batches.length];
  const value = /** @type {any} */ (adam.minimize(() => loss(batch), true));
  const [number] = value.dataSync();
  value.dispose();
  return number;
}

const api = {
  /** @param {string} folder   URL of the folder with the backend's builds; it picks the one with SIMD */
  async boot(folder) {
    setWasmPaths(folder);
    await tf.setBackend("wasm");
    if (!(await tf.env().getAsync("WASM_HAS_SIMD_SUPPORT"))) throw new Error("TensorFlow.js found no WebAssembly SIMD.");
    if (tf.getBackend() !== "wasm") throw new Error("TensorFlow.js has not started its WebAssembly backend.");
  },
  /** @param {Case} given */
  prepare(given) {
    run = given;
    const oneHot = (/** @type {number[]} */ list) =>
      tf.tidy(() => tf.cast(tf.oneHot(tf.tensor1d(list, "int32"), run.model.vocab_size), "float32"));
    batches = run.tokens.map((tokens, i) => ({ tokens: oneHot(tokens), targets: oneHot(run.targets[i]) }));
    restart();
  },
  /** @param {number} steps */
  losses(steps) {
    restart();
    return Array.from({ length: steps }, (_, index) => step(index));
  },
  /** @param {number} steps @param {number} warm */
  seconds(steps, warm) {
    restart();
    let index = 0;
    while (index < warm) step(index++);
    const started = performance.now();
    while (index < warm + steps) step(index++);
    return (performance.now() - started) / 1000;
  },
};

Comlink.expose(api);
