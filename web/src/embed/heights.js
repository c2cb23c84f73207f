// How high each figure is on its embed page at first: the room that is kept for a frame until it tells its own height,
// so that what follows it does not jump. Measured; tests/site/test_embed.py compares them with the pages.

/** Of the frame, in CSS pixels; at widths between two of them, a figure is about as high as at the smaller. */
const WIDTHS = [320, 360, 390, 440, 500, 560, 620, 700, 768, 962, 1100];

/** In CSS pixels, at each of these widths. @type {Record<string, number[]>} */
const HEIGHTS = {
  trainer: [1742, 1695, 1690, 1622, 1505, 1485, 1458, 1396, 1396, 853, 811],
  "attention-lookup": [1370, 1003, 1018, 1043, 1073, 1078, 1060, 1023, 704, 711, 711],
  "shape-table": [1742, 1703, 1664, 1625, 1605, 1565, 1320, 1155, 1097, 1058, 1058],
  "score-spread": [1023, 963, 943, 906, 886, 867, 694, 657, 639, 600, 600],
  "head-spread": [553, 530, 492, 472, 472, 434, 400, 379, 361, 321, 321],
  "softmax-jacobian": [951, 935, 937, 937, 937, 919, 693, 693, 654, 654, 654],
  "causal-mask": [1538, 1249, 1249, 1230, 1089, 1052, 1015, 942, 712, 712, 712],
  "layer-flops": [1064, 1051, 1031, 1031, 1031, 1031, 995, 895, 877, 877, 877],
  "block-diagram": [872, 872, 872, 872, 872, 464, 464, 464, 464, 464, 464],
  "gradient-depth": [847, 847, 831, 831, 831, 801, 801, 700, 682, 682, 682],
};

/** @param {string} figure @param {number} width   of the frame, in CSS pixels; 0 where it is not shown yet */
export function expectedHeight(figure, width) {
  const at = WIDTHS.findLastIndex((least) => width >= least);
  return HEIGHTS[figure]?.[Math.max(0, at)] ?? 120; // an unknown figure is a sentence
}
