/** What a command prints: coloured or plain texts, progress, paths, and failures of the machine with their fix. Runs in Node.js. */
export { type MachineProblem, machineProblem } from "./machine-problem.js";
export {
  createOutput,
  formatTable,
  type Output,
  pathFromHere,
  quotedPath,
  surviveClosedOutput,
} from "./output.js";
