// A picture in pixels.

/** Of the picture for each of its CSS pixels: sharp on slides and in print. */
const SCALE = 2;

/** @param {import("./svg.js").Svg} svg @returns {Promise<Blob>} */
export async function asPng({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SCALE, height: height * SCALE });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser gives no canvas to draw the picture on. Save it as SVG.");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made. Save it as SVG."))), "image/png");
  });
}
