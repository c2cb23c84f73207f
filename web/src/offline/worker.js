// The engine's worker in the offline copy.
import "./packed.js"; // first: it answers for the files
import "../engine/worker.js";
