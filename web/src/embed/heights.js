// How high each figure is on its embed page at first: the room that is kept for a frame until it tells its own height,
// so that what follows it does not jump. Measured; tests/site/test_embed.py compares them with the pages.

/** Of the frame, in CSS pixels; at widths between two of them, a figure is about as high as at the smaller. */
const WIDTHS = [320, 360, 390, 440, 500, 560, 620, 700, 768, 962, 1100];

/** In CSS pixels, at each of these widths. @type {Record<string, number[]>} */
const HEIGHTS = {
  trainer: [1781, 1716, 1711, 1643, 1544, 1524, 1497, 1435, 1435, 889, 817],
  "attention-lookup": [1404, 1009, 1024, 1049, 1079, 1085, 1066, 1030, 715, 722, 722],
  "shape-table": [1770, 1703, 1664, 1625, 1605, 1565, 1320, 1155, 1102, 1063, 1063],
  "score-spread": [1058, 970, 949, 912, 892, 874, 701, 663, 650, 611, 611],
  "head-spread": [587, 536, 499, 479, 479, 441, 406, 386, 372, 332, 332],
  "softmax-jacobian": [979, 935, 937, 937, 937, 919, 693, 693, 659, 659, 659],
  "causal-mask": [1572, 1255, 1255, 1237, 1095, 1058, 1021, 948, 723, 723, 723],
  "layer-flops": [1098, 1057, 1037, 1037, 1037, 1037, 1001, 901, 888, 888, 888],
  "block-diagram": [902, 902, 902, 902, 902, 494, 494, 494, 494, 494, 494],
  "gradient-depth": [881, 853, 837, 837, 837, 807, 807, 706, 692, 692, 692],
};

/** @param {string} figure @param {number} width   of the frame, in CSS pixels */
export function expectedHeight(figure, width) {
  const at = WIDTHS.findLastIndex((least) => width >= least);
  return HEIGHTS[figure]?.[Math.max(0, at)] ?? 120; // an unknown figure is a sentence
}
