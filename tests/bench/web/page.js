// The page that holds the workers of the benchmarks: `ask` starts a worker when it is first named and calls it.
import * as Comlink from "comlink";

/** @type {Map<string, Comlink.Remote<Record<string, (...args: unknown[]) => Promise<unknown>>>>} */
const workers = new Map();

/**
 * @param {string} name     any; one worker for each
 * @param {string} script   of the worker, beside this page
 * @param {string} method
 * @param {unknown[]} args
 */
function ask(name, script, method, args) {
  let remote = workers.get(name);
  if (!remote) workers.set(name, (remote = Comlink.wrap(new Worker(script))));
  return remote[method](...args);
}

Object.assign(window, { ask });
