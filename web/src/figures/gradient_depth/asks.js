// What the controls can be set to, and what is recorded of it.
import { nearestBy } from "../logs.js";

export const DEPTHS = { first: 1, last: 64 };
export const WIDTHS = [16, 32, 64, 128];
export const DEPTH = 64;
export const WIDTH = 32;

/** @param {number} n_layers @param {number} d_model @param {boolean} scale_residual
 * @returns {import("../questions.js").Question} */
export const asks = (n_layers, d_model, scale_residual) => ({
  name: "gradient_picture",
  args: { n_layers, d_model, scale_residual },
});

export const recorded = [4, 8, 16, 32, 64].flatMap((depth) => [asks(depth, WIDTH, false), asks(depth, WIDTH, true)]);

/** @param {import("../questions.js").Question} question */
export const nearest = ({ args }) =>
  nearestBy(
    recorded.filter((one) => one.args.scale_residual === args.scale_residual),
    (one) => Math.abs(Math.log(Number(one.args.n_layers) / Number(args.n_layers))),
  );
