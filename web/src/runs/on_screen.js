// The run that the page shows: the trainer publishes it, and figures that ask about a run watch it.

/** @typedef {import("./recorded.js").RecordedRun} RecordedRun */
/** @typedef {import("./live.js").LiveRun} LiveRun */
/** @typedef {import("./kept.js").KeptRun} KeptRun */
/** @typedef {{run: RecordedRun | LiveRun | KeptRun, epoch: number, probe: string}} Shown */

class OnScreen {
  /** Null before there is one. @type {Shown | null} */
  shown = null;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** Publish; what is on screen already is not told again. @param {Shown} shown */
  show({ run, epoch, probe }) {
    const { shown } = this;
    if (shown && shown.run === run && shown.epoch === epoch && shown.probe === probe) return;
    this.shown = { run, epoch, probe };
    for (const watcher of this.#watchers) watcher();
  }

  /** Be told when another run, epoch or probe is on screen. @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }
}

/** That of this page. */
export const onScreen = new OnScreen();
