declare module "@tensorflow/tfjs-core";
declare module "@tensorflow/tfjs-core/dist/register_all_gradients.js";
declare module "@tensorflow/tfjs-backend-wasm";
