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
let rowsAt: usize = 0; // scratch memory for four packed rows, 16-byte aligned
let rowsCapacity: i32 = 0; // the longest rows it holds, in floats
let oldMatmul: u32 = 0;
let oldAdd: u32 = 0;
let oldSubtract: u32 = 0;
let oldMultiply: u32 = 0;
let oldDivide: u32 = 0;
let oldMaximum: u32 = 0;
let oldNegative: u32 = 0;
let oldSqrt: u32 = 0;
let oldExp: u32 = 0;
let oldVecdot: u32 = 0;

/** Scratch memory: `capacity` floats at `address`, one half for a matrix and the other for four rows. */
export function set_scratch(address: usize, capacity: i32): void {
  packCapacity = capacity >> 1;
  rowsCapacity = capacity >> 3;
  packAt = address;
  rowsAt = address + (<usize>packCapacity << 2);
}
// The loop that each function replaces, as a slot of the shared function table.
export function set_old_matmul(slot: u32): void { oldMatmul = slot; }
export function set_old_add(slot: u32): void { oldAdd = slot; }
export function set_old_subtract(slot: u32): void { oldSubtract = slot; }
export function set_old_multiply(slot: u32): void { oldMultiply = slot; }
export function set_old_divide(slot: u32): void { oldDivide = slot; }
export function set_old_maximum(slot: u32): void { oldMaximum = slot; }
export function set_old_negative(slot: u32): void { oldNegative = slot; }
export function set_old_sqrt(slot: u32): void { oldSqrt = slot; }
export function set_old_exp(slot: u32): void { oldExp = slot; }
export function set_old_vecdot(slot: u32): void { oldVecdot = slot; }

// ---------------------------------------------------------------- arithmetic

/**
 * x * y + s. Where the processor can, in one instruction and with one rounding: this source is compiled twice, and the
 * module for browsers with relaxed SIMD leaves the choice to the processor.
 */
// @ts-ignore: decorator
@inline
function madd(x: v128, y: v128, s: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(x, y, s);
  return f32x4.add(s, f32x4.mul(x, y));
}

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

const NEGATIVE: i32 = 0, SQRT: i32 = 1;

// @ts-ignore: decorator
@inline
function unary(op: i32, old: u32, args: usize, dims: usize, steps: usize, data: usize): void {
  const n = load<i32>(dims);
  let a = load<usize>(args), o = load<usize>(args, 4);
  if (load<i32>(steps) != F32 || load<i32>(steps, 4) != F32 || !blocksAreSafe(o, a)) {
    call_indirect<void>(old, args, dims, steps, data);
    return;
  }
  let i: i32 = 0;
  for (; i + 4 <= n; i += 4, a += 16, o += 16) {
    const x = v128.load(a);
    v128.store(o, op == NEGATIVE ? f32x4.neg(x) : f32x4.sqrt(x));
  }
  for (; i < n; i++, a += 4, o += 4) store<f32>(o, op == NEGATIVE ? -load<f32>(a) : sqrt<f32>(load<f32>(a)));
}

export function loop_negative(args: usize, dims: usize, steps: usize, data: usize): void {
  unary(NEGATIVE, oldNegative, args, dims, steps, data);
}
export function loop_sqrt(args: usize, dims: usize, steps: usize, data: usize): void {
  unary(SQRT, oldSqrt, args, dims, steps, data);
}

/** 1.5 * 2^23: added to a small number, it leaves the number's nearest integer in the low bits of the sum. */
const ROUND: f32 = 12582912;
const ROUND_BITS: i32 = 0x4b400000;

/**
 * e^x: x = k ln 2 + r with |r| <= ln 2 / 2, a polynomial for e^r (Cephes, expf), and a scaling by 2^k in two factors, so
 * that the last one rounds into the denormals or overflows to infinity as it should.
 */
// @ts-ignore: decorator
@inline
function exponential(x: v128): v128 {
  // Beyond these bounds the result is 0 or inf anyway. In this order pmax and pmin keep NaN, in one instruction each.
  x = f32x4.pmin(f32x4.pmax(x, f32x4.splat(-104.0)), f32x4.splat(89.0));
  const rounded = madd(x, f32x4.splat(1.44269504088896341), f32x4.splat(ROUND));
  const k = f32x4.sub(rounded, f32x4.splat(ROUND));
  // ln 2 in two parts: the first has few digits, so that k times it is exact.
  let r = madd(k, f32x4.splat(-0.693359375), x);
  r = madd(k, f32x4.splat(2.12194440e-4), r);
  let p = madd(f32x4.splat(1.9875691500e-4), r, f32x4.splat(1.3981999507e-3));
  p = madd(p, r, f32x4.splat(8.3334519073e-3));
  p = madd(p, r, f32x4.splat(4.1665795894e-2));
  p = madd(p, r, f32x4.splat(1.6666665459e-1));
  p = madd(p, r, f32x4.splat(5.0000001201e-1));
  p = f32x4.add(madd(p, f32x4.mul(r, r), r), f32x4.splat(1));
  const whole = i32x4.sub(rounded, i32x4.splat(ROUND_BITS)); // anything for NaN; p is NaN then
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
// cm apart. Four rows by eight columns of C stay in registers while k runs along a column of A, whose four entries lie
// side by side: as they are where A is transposed, and packed otherwise.
function product(
  A: usize, am: i32, an: i32, B: usize, bn: i32, C: usize, cm: i32, m: i32, n: i32, p: i32,
): void {
  let i: i32 = 0;
  for (; i + 4 <= m; i += 4) {
    let rows = A + i * am, next = an;
    if (am != F32) {
      packRows(rows, am, an, n);
      rows = rowsAt;
      next = 16;
    }
    const c0 = C + i * cm, c1 = c0 + cm, c2 = c1 + cm, c3 = c2 + cm;
    let j: i32 = 0;
    for (; j + 8 <= p; j += 8) {
      let s00 = f32x4.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
      let a = rows, b = B + (j << 2);
      for (let k: i32 = 0; k < n; k++, a += next, b += bn) {
        const b0 = v128.load(b), b1 = v128.load(b, 16);
        let x = v128.load32_splat(a);
        s00 = madd(x, b0, s00);
        s01 = madd(x, b1, s01);
        x = v128.load32_splat(a, 4);
        s10 = madd(x, b0, s10);
        s11 = madd(x, b1, s11);
        x = v128.load32_splat(a, 8);
        s20 = madd(x, b0, s20);
        s21 = madd(x, b1, s21);
        x = v128.load32_splat(a, 12);
        s30 = madd(x, b0, s30);
        s31 = madd(x, b1, s31);
      }
      const c = j << 2;
      v128.store(c0 + c, s00); v128.store(c0 + c, s01, 16);
      v128.store(c1 + c, s10); v128.store(c1 + c, s11, 16);
      v128.store(c2 + c, s20); v128.store(c2 + c, s21, 16);
      v128.store(c3 + c, s30); v128.store(c3 + c, s31, 16);
    }
    for (; j + 4 <= p; j += 4) {
      let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
      let a = rows, b = B + (j << 2);
      for (let k: i32 = 0; k < n; k++, a += next, b += bn) {
        const b0 = v128.load(b);
        s0 = madd(v128.load32_splat(a), b0, s0);
        s1 = madd(v128.load32_splat(a, 4), b0, s1);
        s2 = madd(v128.load32_splat(a, 8), b0, s2);
        s3 = madd(v128.load32_splat(a, 12), b0, s3);
      }
      const c = j << 2;
      v128.store(c0 + c, s0); v128.store(c1 + c, s1); v128.store(c2 + c, s2); v128.store(c3 + c, s3);
    }
    for (; j < p; j++) {
      const b = B + (j << 2), c = j << 2;
      store<f32>(c0 + c, entry(rows, next, b, bn, n));
      store<f32>(c1 + c, entry(rows + 4, next, b, bn, n));
      store<f32>(c2 + c, entry(rows + 8, next, b, bn, n));
      store<f32>(c3 + c, entry(rows + 12, next, b, bn, n));
    }
  }
  for (; i < m; i++) {
    const row = A + i * am, c = C + i * cm;
    let j: i32 = 0;
    for (; j + 4 <= p; j += 4) {
      let s = f32x4.splat(0), a = row, b = B + (j << 2);
      for (let k: i32 = 0; k < n; k++, a += an, b += bn) s = madd(v128.load32_splat(a), v128.load(b), s);
      v128.store(c + (j << 2), s);
    }
    for (; j < p; j++) store<f32>(c + (j << 2), entry(row, an, B + (j << 2), bn, n));
  }
}

/** One entry of a product: n terms, in the order of k and rounded as in the vector loops. */
function entry(a: usize, an: i32, b: usize, bn: i32, n: i32): f32 {
  let s = f32x4.splat(0);
  for (let k: i32 = 0; k < n; k++, a += an, b += bn) s = madd(v128.load32_splat(a), v128.load32_splat(b), s);
  return f32x4.extract_lane(s, 0);
}

// Four rows of four floats at `from`, `row` apart, become four columns at `to`, `toRow` apart.
// @ts-ignore: decorator
@inline
function transpose(from: usize, row: i32, to: usize, toRow: i32): void {
  const x0 = v128.load(from), x1 = v128.load(from + row);
  const x2 = v128.load(from + 2 * row), x3 = v128.load(from + 3 * row);
  const t0 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5), t1 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
  const t2 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5), t3 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(t0, t2, 0, 1, 4, 5));
  v128.store(to + toRow, v128.shuffle<f32>(t0, t2, 2, 3, 6, 7));
  v128.store(to + 2 * toRow, v128.shuffle<f32>(t1, t3, 0, 1, 4, 5));
  v128.store(to + 3 * toRow, v128.shuffle<f32>(t1, t3, 2, 3, 6, 7));
}

// Copy four rows of A, n long, to the scratch memory: the four entries of a column side by side.
function packRows(a: usize, am: i32, an: i32, n: i32): void {
  let to = rowsAt, k: i32 = 0;
  if (an == F32) {
    for (; k + 4 <= n; k += 4, a += 16, to += 64) transpose(a, am, to, 16);
  }
  for (; k < n; k++, a += an, to += 16) {
    store<f32>(to, load<f32>(a));
    store<f32>(to, load<f32>(a + am), 4);
    store<f32>(to, load<f32>(a + 2 * am), 8);
    store<f32>(to, load<f32>(a + 3 * am), 12);
  }
}

// Copy B (n, p) of any strides to the scratch memory with contiguous rows.
function pack(B: usize, bn: i32, bp: i32, n: i32, p: i32): void {
  if (bn == F32 && (p & 3) == 0 && (n & 3) == 0) {
    // B is transposed: turn it in blocks of four by four.
    const row = p << 2;
    for (let j: i32 = 0; j < p; j += 4) {
      let b = B + j * bp, to = packAt + (j << 2);
      for (let k: i32 = 0; k < n; k += 4, b += 16, to += row << 2) transpose(b, bp, to, row);
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
  const rowsFit = am == F32 || n <= rowsCapacity;
  if ((cp != F32 && p != 1) || !(direct || packs) || !rowsFit) {
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

// Products of `count` columns side by side, n long, whose entries are an and bn apart: four columns at a time.
function columns(a: usize, an: i32, b: usize, bn: i32, o: usize, count: i32, n: i32): void {
  let q: i32 = 0;
  for (; q + 4 <= count; q += 4, a += 16, b += 16, o += 16) {
    let s = f32x4.splat(0), x = a, y = b;
    for (let k: i32 = 0; k < n; k++, x += an, y += bn) s = madd(v128.load(x), v128.load(y), s);
    v128.store(o, s);
  }
  for (; q < count; q++, a += 4, b += 4, o += 4) store<f32>(o, entry(a, an, b, bn, n));
}

/** (n),(n)->(), for a stack of vectors. */
export function loop_vecdot(args: usize, dims: usize, steps: usize, data: usize): void {
  const count = load<i32>(dims), n = load<i32>(dims, 4);
  let a = load<usize>(args), b = load<usize>(args, 4), o = load<usize>(args, 8);
  const sa = load<i32>(steps), sb = load<i32>(steps, 4), so = load<i32>(steps, 8);
  const an = load<i32>(steps, 12), bn = load<i32>(steps, 16);
  const rows = an == F32 && bn == F32;
  const sideBySide = sa == F32 && sb == F32 && so == F32 && blocksAreSafe(o, a) && blocksAreSafe(o, b);
  if (n > 4096 || !(rows || sideBySide)) {
    call_indirect<void>(oldVecdot, args, dims, steps, data);
    return;
  }
  if (!rows) {
    columns(a, an, b, bn, o, count, n);
    return;
  }
  for (let q: i32 = 0; q < count; q++, a += sa, b += sb, o += so) {
    let s0 = f32x4.splat(0), s1 = s0, x = a, y = b;
    let i: i32 = 0;
    for (; i + 8 <= n; i += 8, x += 32, y += 32) {
      s0 = madd(v128.load(x), v128.load(y), s0);
      s1 = madd(v128.load(x, 16), v128.load(y, 16), s1);
    }
    let total = across(f32x4.add(s0, s1));
    for (; i < n; i++, x += 4, y += 4) total += load<f32>(x) * load<f32>(y);
    store<f32>(o, total);
  }
}
