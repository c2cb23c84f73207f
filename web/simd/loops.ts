// NumPy's inner loops for float32, with WebAssembly SIMD.
//
// Each exported function has the signature of a NumPy inner loop,
//     (args: char**, dims: npy_intp*, steps: npy_intp*, data: void*)
// and works on the memory of the Python that called it. There is no data segment, no heap and no stack of its own: the
// module is code only. What a loop does not do itself it hands to the loop it replaced (`old…`).
//
// Strides and offsets are in bytes. Names: a, b inputs, o output; sa, sb, so their strides; n elements.

const F32: i32 = 4;

// ---------------------------------------------------------------- what the installer fills in

let packAt: usize = 0; // scratch memory for a packed matrix, 16-byte aligned
let packCapacity: i32 = 0; // in floats
let oldMatmul: u32 = 0;
let oldAdd: u32 = 0;
let oldSubtract: u32 = 0;
let oldMultiply: u32 = 0;
let oldDivide: u32 = 0;
let oldMaximum: u32 = 0;
let oldSqrt: u32 = 0;
let oldExp: u32 = 0;
let oldVecdot: u32 = 0;

/** Scratch memory: `capacity` floats at `address`. */
export function set_scratch(address: usize, capacity: i32): void {
  packAt = address;
  packCapacity = capacity;
}
// The loop that each function replaces, as a slot of the shared function table.
export function set_old_matmul(slot: u32): void { oldMatmul = slot; }
export function set_old_add(slot: u32): void { oldAdd = slot; }
export function set_old_subtract(slot: u32): void { oldSubtract = slot; }
export function set_old_multiply(slot: u32): void { oldMultiply = slot; }
export function set_old_divide(slot: u32): void { oldDivide = slot; }
export function set_old_maximum(slot: u32): void { oldMaximum = slot; }
export function set_old_sqrt(slot: u32): void { oldSqrt = slot; }
export function set_old_exp(slot: u32): void { oldExp = slot; }
export function set_old_vecdot(slot: u32): void { oldVecdot = slot; }

// ---------------------------------------------------------------- elementwise, two inputs

const ADD: i32 = 0, SUBTRACT: i32 = 1, MULTIPLY: i32 = 2, DIVIDE: i32 = 3, MAXIMUM: i32 = 4;

// `op` is always a constant, so the compiler keeps one branch only.
// @ts-ignore: decorator
@inline
function vector(op: i32, x: v128, y: v128): v128 {
  if (op == ADD) return f32x4.add(x, y);
  if (op == SUBTRACT) return f32x4.sub(x, y);
  if (op == MULTIPLY) return f32x4.mul(x, y);
  if (op == DIVIDE) return f32x4.div(x, y);
  return f32x4.max(x, y); // NaN if either is, as NumPy's maximum
}

// @ts-ignore: decorator
@inline
function scalar(op: i32, x: f32, y: f32): f32 {
  if (op == ADD) return x + y;
  if (op == SUBTRACT) return x - y;
  if (op == MULTIPLY) return x * y;
  if (op == DIVIDE) return x / y;
  return max<f32>(x, y);
}

/** Bytes that a vector loop reads before it writes. */
const BLOCK: usize = 32;

// Whether blocks give what element after element would: not if a write lands in the block that is about to be read
// from, which happens in accumulate (o one element behind a). A difference below zero wraps round and is safe.
// @ts-ignore: decorator
@inline
function blocksAreSafe(o: usize, a: usize): bool {
  return o == a || o - a >= BLOCK;
}

// @ts-ignore: decorator
@inline
function binary(op: i32, old: u32, args: usize, dims: usize, steps: usize, data: usize): void {
  const n = load<i32>(dims);
  let a = load<usize>(args), b = load<usize>(args, 4), o = load<usize>(args, 8);
  const sa = load<i32>(steps), sb = load<i32>(steps, 4), so = load<i32>(steps, 8);
  let i: i32 = 0;
  if (so == F32 && sa == F32 && sb == F32 && blocksAreSafe(o, a) && blocksAreSafe(o, b)) {
    for (; i + 8 <= n; i += 8, a += 32, b += 32, o += 32) {
      const x = vector(op, v128.load(a), v128.load(b));
      const y = vector(op, v128.load(a, 16), v128.load(b, 16));
      v128.store(o, x);
      v128.store(o, y, 16);
    }
    if (i + 4 <= n) {
      v128.store(o, vector(op, v128.load(a), v128.load(b)));
      i += 4; a += 16; b += 16; o += 16;
    }
    for (; i < n; i++, a += 4, b += 4, o += 4) store<f32>(o, scalar(op, load<f32>(a), load<f32>(b)));
  } else if (so == F32 && sa == F32 && sb == 0 && blocksAreSafe(o, a)) {
    const y = load<f32>(b), w = f32x4.splat(y);
    for (; i + 4 <= n; i += 4, a += 16, o += 16) v128.store(o, vector(op, v128.load(a), w));
    for (; i < n; i++, a += 4, o += 4) store<f32>(o, scalar(op, load<f32>(a), y));
  } else if (so == F32 && sa == 0 && sb == F32 && blocksAreSafe(o, b)) {
    const x = load<f32>(a), w = f32x4.splat(x);
    for (; i + 4 <= n; i += 4, b += 16, o += 16) v128.store(o, vector(op, w, v128.load(b)));
    for (; i < n; i++, b += 4, o += 4) store<f32>(o, scalar(op, x, load<f32>(b)));
  } else if ((op == ADD || op == MAXIMUM) && so == 0 && sa == 0 && a == o && sb == F32) {
    // reduce: NumPy passes the running result as first input and as output
    const rest = op == ADD ? sum(b, n) : largest(b, n, load<f32>(o));
    store<f32>(o, scalar(op, load<f32>(o), rest));
  } else {
    call_indirect<void>(old, args, dims, steps, data);
  }
}

/** Sum of n floats at b, in halves down to 512: the rounding error grows with log n, as in NumPy's own. */
function sum(b: usize, n: i32): f32 {
  if (n > 512) {
    const half = (n >> 1) & ~15;
    return sum(b, half) + sum(b + (<usize>half << 2), n - half);
  }
  let s0 = f32x4.splat(-0.0), s1 = s0; // -0 + x is x, for -0 too; 0 + -0 would be 0
  let i: i32 = 0;
  for (; i + 8 <= n; i += 8, b += 32) {
    s0 = f32x4.add(s0, v128.load(b));
    s1 = f32x4.add(s1, v128.load(b, 16));
  }
  if (i + 4 <= n) {
    s0 = f32x4.add(s0, v128.load(b));
    i += 4; b += 16;
  }
  let total = across(f32x4.add(s0, s1));
  for (; i < n; i++, b += 4) total += load<f32>(b);
  return total;
}

// @ts-ignore: decorator
@inline
function across(s: v128): f32 {
  return (f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1)) + (f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3));
}

/** Largest of `start` and n floats at b; NaN if one is. */
function largest(b: usize, n: i32, start: f32): f32 {
  let m = f32x4.splat(start);
  let i: i32 = 0;
  for (; i + 4 <= n; i += 4, b += 16) m = f32x4.max(m, v128.load(b));
  let top = max<f32>(
    max<f32>(f32x4.extract_lane(m, 0), f32x4.extract_lane(m, 1)),
    max<f32>(f32x4.extract_lane(m, 2), f32x4.extract_lane(m, 3)),
  );
  for (; i < n; i++, b += 4) top = max<f32>(top, load<f32>(b));
  return top;
}

export function loop_add(args: usize, dims: usize, steps: usize, data: usize): void {
  binary(ADD, oldAdd, args, dims, steps, data);
}
export function loop_subtract(args: usize, dims: usize, steps: usize, data: usize): void {
  binary(SUBTRACT, oldSubtract, args, dims, steps, data);
}
export function loop_multiply(args: usize, dims: usize, steps: usize, data: usize): void {
  binary(MULTIPLY, oldMultiply, args, dims, steps, data);
}
export function loop_divide(args: usize, dims: usize, steps: usize, data: usize): void {
  binary(DIVIDE, oldDivide, args, dims, steps, data);
}
export function loop_maximum(args: usize, dims: usize, steps: usize, data: usize): void {
  binary(MAXIMUM, oldMaximum, args, dims, steps, data);
}

// ---------------------------------------------------------------- elementwise, one input

export function loop_sqrt(args: usize, dims: usize, steps: usize, data: usize): void {
  const n = load<i32>(dims);
  let a = load<usize>(args), o = load<usize>(args, 4);
  if (load<i32>(steps) != F32 || load<i32>(steps, 4) != F32 || !blocksAreSafe(o, a)) {
    call_indirect<void>(oldSqrt, args, dims, steps, data);
    return;
  }
  let i: i32 = 0;
  for (; i + 4 <= n; i += 4, a += 16, o += 16) v128.store(o, f32x4.sqrt(v128.load(a)));
  for (; i < n; i++, a += 4, o += 4) store<f32>(o, sqrt<f32>(load<f32>(a)));
}

/**
 * e^x: x = k ln 2 + r with |r| <= ln 2 / 2, a polynomial for e^r (Cephes, expf), and a scaling by 2^k in two factors, so
 * that the last one rounds into the denormals or overflows to infinity as it should.
 */
// @ts-ignore: decorator
@inline
function exponential(x: v128): v128 {
  // Beyond these bounds the result is 0 or inf anyway. pmin and pmax would lose NaN; min and max keep it.
  x = f32x4.min(f32x4.max(x, f32x4.splat(-104.0)), f32x4.splat(89.0));
  const k = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504088896341)));
  // ln 2 in two parts: the first has few digits, so that k times it is exact.
  let r = f32x4.sub(x, f32x4.mul(k, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(k, f32x4.splat(-2.12194440e-4)));
  let p = f32x4.splat(1.9875691500e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1));
  const whole = i32x4.trunc_sat_f32x4_s(k); // NaN gives 0; p is NaN then
  const half = i32x4.shr_s(whole, 1);
  return f32x4.mul(f32x4.mul(p, powerOfTwo(half)), powerOfTwo(i32x4.sub(whole, half)));
}

// @ts-ignore: decorator
@inline
function powerOfTwo(k: v128): v128 {
  return i32x4.shl(i32x4.add(k, i32x4.splat(127)), 23);
}

export function loop_exp(args: usize, dims: usize, steps: usize, data: usize): void {
  const n = load<i32>(dims), sa = load<i32>(steps), so = load<i32>(steps, 4);
  let a = load<usize>(args), o = load<usize>(args, 4);
  let i: i32 = 0;
  if (sa == F32 && so == F32 && blocksAreSafe(o, a)) {
    for (; i + 8 <= n; i += 8, a += 32, o += 32) {
      const x = exponential(v128.load(a)), y = exponential(v128.load(a, 16));
      v128.store(o, x);
      v128.store(o, y, 16);
    }
    if (i + 4 <= n) {
      v128.store(o, exponential(v128.load(a)));
      i += 4; a += 16; o += 16;
    }
  }
  // One lane of the same arithmetic: a value does not depend on where in the array it stands.
  for (; i < n; i++, a += sa, o += so) {
    store<f32>(o, f32x4.extract_lane(exponential(v128.load32_splat(a)), 0));
  }
}

// ---------------------------------------------------------------- products

// C = A B. A (m, n) with any strides am, an; B (n, p) with rows contiguous, bn apart; C (m, p) with rows contiguous,
// cm apart. Four rows by eight columns of C stay in registers while k runs.
function product(
  A: usize, am: i32, an: i32, B: usize, bn: i32, C: usize, cm: i32, m: i32, n: i32, p: i32,
): void {
  let i: i32 = 0;
  for (; i + 4 <= m; i += 4) {
    const a0 = A + i * am, a1 = a0 + am, a2 = a1 + am, a3 = a2 + am;
    const c0 = C + i * cm, c1 = c0 + cm, c2 = c1 + cm, c3 = c2 + cm;
    let j: i32 = 0;
    for (; j + 8 <= p; j += 8) {
      let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
      let b = B + (j << 2), at: i32 = 0;
      for (let k: i32 = 0; k < n; k++, b += bn, at += an) {
        const b0 = v128.load(b), b1 = v128.load(b, 16);
        let x = v128.load32_splat(a0 + at);
        s00 = f32x4.add(s00, f32x4.mul(x, b0));
        s01 = f32x4.add(s01, f32x4.mul(x, b1));
        x = v128.load32_splat(a1 + at);
        s10 = f32x4.add(s10, f32x4.mul(x, b0));
        s11 = f32x4.add(s11, f32x4.mul(x, b1));
        x = v128.load32_splat(a2 + at);
        s20 = f32x4.add(s20, f32x4.mul(x, b0));
        s21 = f32x4.add(s21, f32x4.mul(x, b1));
        x = v128.load32_splat(a3 + at);
        s30 = f32x4.add(s30, f32x4.mul(x, b0));
        s31 = f32x4.add(s31, f32x4.mul(x, b1));
      }
      const c = j << 2;
      v128.store(c0 + c, s00); v128.store(c0 + c, s01, 16);
      v128.store(c1 + c, s10); v128.store(c1 + c, s11, 16);
      v128.store(c2 + c, s20); v128.store(c2 + c, s21, 16);
      v128.store(c3 + c, s30); v128.store(c3 + c, s31, 16);
    }
    for (; j + 4 <= p; j += 4) {
      let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
      let b = B + (j << 2), at: i32 = 0;
      for (let k: i32 = 0; k < n; k++, b += bn, at += an) {
        const b0 = v128.load(b);
        s0 = f32x4.add(s0, f32x4.mul(v128.load32_splat(a0 + at), b0));
        s1 = f32x4.add(s1, f32x4.mul(v128.load32_splat(a1 + at), b0));
        s2 = f32x4.add(s2, f32x4.mul(v128.load32_splat(a2 + at), b0));
        s3 = f32x4.add(s3, f32x4.mul(v128.load32_splat(a3 + at), b0));
      }
      const c = j << 2;
      v128.store(c0 + c, s0); v128.store(c1 + c, s1); v128.store(c2 + c, s2); v128.store(c3 + c, s3);
    }
    for (; j < p; j++) {
      const b = B + (j << 2), c = j << 2;
      store<f32>(c0 + c, column(a0, an, b, bn, n));
      store<f32>(c1 + c, column(a1, an, b, bn, n));
      store<f32>(c2 + c, column(a2, an, b, bn, n));
      store<f32>(c3 + c, column(a3, an, b, bn, n));
    }
  }
  for (; i < m; i++) {
    const a0 = A + i * am, c0 = C + i * cm;
    let j: i32 = 0;
    for (; j + 4 <= p; j += 4) {
      let s0 = f32x4.splat(0), b = B + (j << 2), at: i32 = 0;
      for (let k: i32 = 0; k < n; k++, b += bn, at += an) {
        s0 = f32x4.add(s0, f32x4.mul(v128.load32_splat(a0 + at), v128.load(b)));
      }
      v128.store(c0 + (j << 2), s0);
    }
    for (; j < p; j++) store<f32>(c0 + (j << 2), column(a0, an, B + (j << 2), bn, n));
  }
}

/** One entry of a product: n terms, in the order of k, as the vector loops add them. */
function column(a: usize, an: i32, b: usize, bn: i32, n: i32): f32 {
  let s: f32 = 0;
  for (let k: i32 = 0; k < n; k++, a += an, b += bn) s += load<f32>(a) * load<f32>(b);
  return s;
}

// Copy B (n, p) of any strides to the scratch memory with contiguous rows.
function pack(B: usize, bn: i32, bp: i32, n: i32, p: i32): void {
  if (bn == F32 && (p & 3) == 0 && (n & 3) == 0) {
    // B is transposed: turn it in blocks of four by four.
    const row = p << 2;
    for (let j: i32 = 0; j < p; j += 4) {
      let b = B + j * bp, to = packAt + (j << 2);
      for (let k: i32 = 0; k < n; k += 4, b += 16) {
        const x0 = v128.load(b), x1 = v128.load(b + bp), x2 = v128.load(b + 2 * bp), x3 = v128.load(b + 3 * bp);
        const t0 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5), t1 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
        const t2 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5), t3 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
        v128.store(to, v128.shuffle<f32>(t0, t2, 0, 1, 4, 5)); to += row;
        v128.store(to, v128.shuffle<f32>(t0, t2, 2, 3, 6, 7)); to += row;
        v128.store(to, v128.shuffle<f32>(t1, t3, 0, 1, 4, 5)); to += row;
        v128.store(to, v128.shuffle<f32>(t1, t3, 2, 3, 6, 7)); to += row;
      }
    }
    return;
  }
  let to = packAt;
  for (let k: i32 = 0; k < n; k++) {
    for (let j: i32 = 0; j < p; j++, to += 4) store<f32>(to, load<f32>(B + k * bn + j * bp));
  }
}

/** (m,n),(n,p)->(m,p), for a stack of matrices. */
export function loop_matmul(args: usize, dims: usize, steps: usize, data: usize): void {
  const count = load<i32>(dims), m = load<i32>(dims, 4), n = load<i32>(dims, 8), p = load<i32>(dims, 12);
  let A = load<usize>(args), B = load<usize>(args, 4), C = load<usize>(args, 8);
  const sA = load<i32>(steps), sB = load<i32>(steps, 4), sC = load<i32>(steps, 8);
  const am = load<i32>(steps, 12), an = load<i32>(steps, 16);
  const bn = load<i32>(steps, 20), bp = load<i32>(steps, 24);
  const cm = load<i32>(steps, 28), cp = load<i32>(steps, 32);
  const direct = bp == F32 || p == 1; // a single column is contiguous whatever its stride says
  // n * p in floating point: the product of two large dimensions must not wrap round and look small.
  const packs = !direct && <f64>n * <f64>p <= <f64>packCapacity;
  if ((cp != F32 && p != 1) || !(direct || packs)) {
    call_indirect<void>(oldMatmul, args, dims, steps, data);
    return;
  }
  for (let q: i32 = 0; q < count; q++, A += sA, B += sB, C += sC) {
    if (direct) {
      product(A, am, an, B, bn, C, cm, m, n, p);
    } else {
      if (q == 0 || sB != 0) pack(B, bn, bp, n, p); // one B for the whole stack is packed once
      product(A, am, an, packAt, p << 2, C, cm, m, n, p);
    }
  }
}

/** (n),(n)->(), for a stack of vectors. */
export function loop_vecdot(args: usize, dims: usize, steps: usize, data: usize): void {
  const count = load<i32>(dims), n = load<i32>(dims, 4);
  let a = load<usize>(args), b = load<usize>(args, 4), o = load<usize>(args, 8);
  const sa = load<i32>(steps), sb = load<i32>(steps, 4), so = load<i32>(steps, 8);
  if (n > 4096 || load<i32>(steps, 12) != F32 || load<i32>(steps, 16) != F32) {
    call_indirect<void>(oldVecdot, args, dims, steps, data);
    return;
  }
  for (let q: i32 = 0; q < count; q++, a += sa, b += sb, o += so) {
    let s0 = f32x4.splat(0), s1 = s0, x = a, y = b;
    let i: i32 = 0;
    for (; i + 8 <= n; i += 8, x += 32, y += 32) {
      s0 = f32x4.add(s0, f32x4.mul(v128.load(x), v128.load(y)));
      s1 = f32x4.add(s1, f32x4.mul(v128.load(x, 16), v128.load(y, 16)));
    }
    let total = across(f32x4.add(s0, s1));
    for (; i < n; i++, x += 4, y += 4) total += load<f32>(x) * load<f32>(y);
    store<f32>(o, total);
  }
}
