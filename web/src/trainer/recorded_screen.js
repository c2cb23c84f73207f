// The screen as it is without an engine: it shows, and keeps, runs that the build has recorded.
import { EPOCHS } from "../runs/package.js";
import { RecordedRun } from "../runs/recorded.js";
import { isDefaultRun, sameSettings, settingsOf } from "../state.js";
import { Screen } from "./screen.js";

/** @typedef {import("../state.js").RunSettings} RunSettings */

export class RecordedScreen extends Screen {
  /** Settings of the run for which the page has no control: those of a file. @type {import("../engine/protocol.js").Settings} */
  beyond = {};

  /**
   * @param {import("../engine/client.js").Engine} engine
   * @param {import("../runs/recorded.js").Recordings} recordings
   * @param {import("../state.js").ScreenSettings} settings
   * @param {() => void} changed @param {() => void} answered   see `Screen`
   */
  constructor(engine, recordings, settings, changed, answered) {
    super(engine, settings, changed, answered);
    this.recordings = recordings;
  }

  isRecorded() {
    const { settings, beyond } = this;
    return isDefaultRun(settings) && !Object.keys(beyond).length && this.recordings.has(settings.task, settings.mask);
  }

  /** Show the recorded run of the settings. Resolves to whether it is on screen.
   * @param {number} trained   epochs of it to show @param {() => boolean} wanted   whether it still is, when it has arrived */
  async showRecorded(trained = EPOCHS, wanted = () => !this.isLive) {
    const { task, mask } = this.settings;
    try {
      const run = (await this.recordings.get(task, mask)).until(trained);
      if (task === this.settings.task && mask === this.settings.mask && wanted()) this.show(run);
    } catch (error) {
      this.complain(error);
    }
    this.changed();
    return this.run instanceof RecordedRun && this.isOfSettings(this.run);
  }

  /** Keep a recorded run beside those that come.
   * @param {RunSettings} settings   of the recording: task and mask count @param {number} trained   epochs of it */
  async keepRecorded({ task, mask }, trained = EPOCHS) {
    try {
      await this.comparison.keep((await this.recordings.get(task, mask)).until(trained));
      this.observe();
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  /** @protected @param {RecordedRun} run */
  isOfSettings(run) {
    return sameSettings(settingsOf(run.facts), this.settings);
  }
}
