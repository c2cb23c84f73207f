// The bundler includes Python sources as text.
declare module "*.py" {
  const source: string;
  export default source;
}
