// Every message between the page and the engine's worker. Comlink carries them: the worker exposes an `EngineApi` to
// each page, the page hands over one function for `EngineEvent`s. Types only; both sides import them from here.
//
// A run has an id that the page chooses. Whatever concerns a run names it, so that an answer or an event of a run
// that has been replaced meanwhile is recognised and dropped.

/**
 * A file of the runtime, as the build published it.
 * @typedef {object} RuntimeFile
 * @property {string} name
 * @property {string} url         relative to the page
 * @property {number} bytes       size before any transport encoding
 * @property {number} gzipped     bytes that a host which compresses with gzip transfers; with brotli, fewer
 * @property {string} integrity   "sha256-…", as fetch() takes it
 * @property {"script" | "wasm" | "stdlib" | "package" | "loops"} role
 * @property {import("../../simd/support.js").Simd} [simd]   for browsers with this kind of SIMD only
 */

/**
 * @typedef {object} Progress
 * @property {"download" | "start"} phase
 * @property {number} loaded   bytes so far
 * @property {number} total    bytes in all
 */

/**
 * What a run trains: fields of the package's ModelConfig and TrainConfig; the rest take their defaults.
 * @typedef {Record<string, string | number | boolean>} Settings
 */

/**
 * @typedef {object} Limit
 * @property {number} ce                      nats per token
 * @property {number} accuracy                0 to 1
 * @property {number[]} ce_per_position
 * @property {number[]} accuracy_per_position
 */

/**
 * What stays fixed during a run (`describe` in playground.py).
 * @typedef {object} RunFacts
 * @property {{vocab_size: number, seq_len: number, n_layers: number, n_heads: number, d_model: number, d_ff: number,
 *   norm: string, scale_scores: boolean, positions: boolean}} model
 * @property {{task: string, mask: string, seed: number, epochs: number, batch_size: number, learning_rate: number}} train
 * @property {number} parameters
 * @property {number} steps_per_epoch
 * @property {number} train_sequences
 * @property {number} held_out_sequences
 * @property {number} guess_ce                ln V, nats per token
 * @property {Limit} limit
 */

/**
 * Scores of one epoch (`EpochRecord` in training.py); epoch 0 is the untrained model.
 * @typedef {object} EpochRecord
 * @property {number} epoch
 * @property {number} train_ce
 * @property {number} ce
 * @property {number} accuracy
 * @property {number} exact_match
 * @property {number[]} ce_per_position
 * @property {number[]} accuracy_per_position
 */

/**
 * What the model of one epoch makes of a probe (`observe` in playground.py).
 * @typedef {object} Observation
 * @property {string} target
 * @property {string} prediction
 * @property {ArrayLike<number>} confidence   probability of each predicted token, T
 * @property {ArrayLike<number>} attention    P of every layer and head, L*H*T*T
 */

/**
 * @typedef {{type: "epoch", run: number, record: EpochRecord}
 *   | {type: "speed", run: number, stepsPerSecond: number}
 *   | {type: "idle", run: number, goal: number}
 *   | {type: "error", run: number, goal: number, message: string}} RunEvent
 * `goal` tells which call of `train` has ended: a later one may be on its way.
 * "idle": the epoch asked for is reached, or training was paused. "error": training stopped by itself, for instance
 * because the loss was not finite; the run can go on from its last complete epoch.
 */

/**
 * @typedef {RunEvent | {type: "death", cause: string}} EngineEvent
 * "death": Python has ended for good, and its worker with it, as when WebAssembly's stack has run over.
 */

/**
 * The SIMD loops for NumPy (web/simd): which ufuncs have them, and why there are none if there are none.
 * @typedef {object} LoopsReport
 * @property {boolean} on
 * @property {string[]} installed
 * @property {string[]} refused
 * @property {string} reason
 */

/**
 * For settings of a model, the least and the greatest value that the page can show.
 * @typedef {Record<string, [least: number, greatest: number]>} Shown
 */
/** @typedef {RunFacts & {history: EpochRecord[]}} RestoredRun */

/** Arguments of a question, by name. @typedef {Record<string, unknown>} Arguments */

/**
 * What the worker does for the page. A rejected promise carries an Error whose message is a sentence for the reader.
 * @typedef {object} EngineApi
 * @property {(files: RuntimeFile[], base: string, onProgress: (p: Progress) => void,
 *   onEvent: (e: EngineEvent) => void) => Promise<LoopsReport>} boot   load Python, NumPy and the package; URLs absolute.
 *   In a worker that pages share, the first call loads them, and all hear how far it is and what becomes of it
 * @property {(on: boolean) => Promise<LoopsReport>} useLoops   switch the SIMD loops; a run goes on with the others
 * @property {(run: number, settings: Settings) => Promise<RunFacts>} start   replace the run
 * @property {(run: number, until: number, goal: number) => Promise<void>} train   work towards epoch `until`; events
 *   tell how it goes, and name `goal`, a number of the page's choice
 * @property {(run: number) => Promise<void>} pause
 * @property {(run: number | null) => Promise<void>} keep   go on answering `observe` about this run once another has
 *   replaced it; null: about none. One run is kept at a time
 * @property {(run: number, epoch: number, probe: string) => Promise<Observation>} observe
 * @property {(run: number, content: Uint8Array<ArrayBuffer>, shown: Shown) => Promise<RestoredRun>} restore   replace the
 *   run by the one in a file; a file that is refused leaves it
 * @property {(run: number) => Promise<Uint8Array<ArrayBuffer>>} save   the run as a file, .npz
 * @property {(run: number, epoch: number) => Promise<Uint8Array<ArrayBuffer>>} weights   those of an epoch as a file, .npz
 * @property {(name: string, args: Arguments) => Promise<any>} ask   a question of the package's questions.FREE; plain
 *   values both ways
 * @property {(run: number, epoch: number, name: string, args: Arguments) => Promise<any>} askAbout   one of
 *   questions.ABOUT_A_RUN, about the model of an epoch
 * @property {() => Promise<void>} leave   stop training and forget the page's runs; the last call
 */

export {};
