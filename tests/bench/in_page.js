// What the benchmarks do and measure inside the page. All times in milliseconds; presses are made by the script, so
// that what is measured is the page and not the way to it.
globalThis.bench = (() => {
  /** When each answer about a probe came from the worker, and the end of each call of `train`. */
  const arrived = { observation: 0, idle: 0 };

  // The page keeps its worker and its channels to itself: both are watched where they are made.
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        if (data?.value?.attention) arrived.observation = performance.now();
      });
    }
  };
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      for (const port of [this.port1, this.port2]) {
        port.addEventListener("message", ({ data }) => {
          if (data?.argumentList?.[0]?.value?.type === "idle") arrived.idle = performance.now();
        });
      }
    }
  };

  const figure = () => document.querySelector("micro-trainer");
  const button = (action) => figure().querySelector(`[data-action=${action}]`);
  const slider = () => figure().querySelector("input[type=range]");
  const state = (name) => figure().getAttribute(`data-${name}`);
  const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const within = (low, high) => low + (high - low) * Math.random();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  /** Resolves when `test` holds, at the end of the task that made it so: then that task has drawn, too. */
  const until = (test) =>
    new Promise((resolve) => {
      if (test()) return resolve(performance.now());
      const observer = new MutationObserver(() => {
        if (!test()) return;
        observer.disconnect();
        resolve(performance.now());
      });
      observer.observe(figure(), { attributes: true, subtree: true, childList: true, characterData: true });
    });

  /** While it is on, a run that has ended begins again at once. */
  let keeping = false;
  let runs = 0;
  const keep = async () => {
    while (keeping) {
      if (state("training") !== "true") {
        button("train").click();
        runs++;
        await until(() => state("training") === "true");
      }
      await until(() => !keeping || state("training") !== "true");
      await frame();
    }
  };

  const enter = (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  /** Train, if it is not done already, until some epochs are there to choose from. */
  const trained = async (epochs) => {
    const enough = () => Number(state("trained")) >= epochs && Number(state("trained")) < Number(slider().max);
    while (state("training") !== "true" || !enough()) {
      if (state("training") !== "true") {
        if (Number(state("trained")) >= Number(slider().max)) {
          button("reset").click();
          await until(() => state("trained") === "0" && state("training") === "false");
        }
        button("train").click();
        await until(() => state("training") === "true");
      }
      await until(() => state("training") !== "true" || enough()); // a run may end before it is caught at the right time
    }
  };

  return {
    async train(on) {
      if (keeping === on) return;
      keeping = on;
      if (on) return void keep();
      if (state("training") === "true") button("train").click();
      await until(() => state("training") === "false");
    },

    pass: (ms) => delay(ms),

    /** Runs that `train` has begun. */
    runs: () => runs,

    /** New runs, each of another task, mask or seed, and each left while it trains. */
    async restarts(first, count) {
      for (let i = first; i < first + count; i++) {
        const seed = figure().querySelector("[data-setting=seed]");
        seed.value = String(i);
        seed.dispatchEvent(new Event("change", { bubbles: true }));
        figure().querySelectorAll("[data-setting=task]")[i % 3].click();
        figure().querySelectorAll("[data-setting=mask]")[i % 2].click();
        button("reset").click();
        await until(() => state("trained") === "0" && state("training") === "false" && state("observed").endsWith("@0"));
        button("train").click();
        await until(() => Number(state("trained")) >= 1);
      }
      button("train").click();
      await until(() => state("training") === "false");
    },

    /** Gaps between frames. */
    async frames(ms) {
      const gaps = [];
      let last = await frame();
      for (const end = last + ms; last < end; ) {
        const now = await frame();
        gaps.push(now - last);
        last = now;
      }
      return gaps;
    },

    /** From pressing Pause: the worker's word that it has stopped, and the picture that shows it. */
    async pauses(rounds) {
      const measured = [];
      while (measured.length < rounds) {
        await trained(1);
        await delay(within(50, 250));
        if (state("training") !== "true") continue; // the run has ended meanwhile
        arrived.idle = 0;
        const pressed = performance.now();
        button("train").click();
        const shown = await until(() => button("train").textContent === "Train");
        if (arrived.idle) measured.push({ stopped: arrived.idle - pressed, shown: shown - pressed });
      }
      return measured;
    },

    /** A new place of the slider, or a new probe: from the press to the answer, and from the answer to the picture. */
    async answers(what, rounds) {
      const measured = [];
      while (measured.length < rounds) {
        await trained(10);
        const before = state("observed").split("@");
        const letters = Array.from({ length: 4 }, () => "ABCDEFGH"[Math.floor(8 * Math.random())]).join("");
        const probe = what === "probe" ? letters : before[0];
        const epoch = what === "slider" ? Math.floor(within(0, 9)) : Math.min(9, Number(slider().value));
        if (Number(slider().value) !== epoch && what === "probe") enter(slider(), String(epoch)); // stop following
        await delay(within(60, 160));
        if (state("training") !== "true" || state("observed") === `${probe}@${epoch}`) continue;
        arrived.observation = 0;
        const pressed = performance.now();
        if (what === "probe") enter(figure().querySelector("[data-setting=probe]"), probe);
        else enter(slider(), String(epoch));
        const drawn = await until(() => state("observed") === `${probe}@${epoch}`);
        measured.push({ answered: arrived.observation - pressed, drawn: drawn - arrived.observation });
      }
      return measured;
    },
  };
})();
