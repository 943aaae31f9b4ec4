import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Command,
  type CommandInput,
  type ConfigState,
  optionError,
  readRuntimeFolder,
  RELOAD_SIGNAL,
} from "#kernel";
import { SiteError } from "#lib/errors";
import { isAlive, rootHolder } from "#lib/files";
import { readReloadNote } from "./reload-state.js";

const DEFAULT_SECONDS = 120;
const POLL_MS = 100;

/** `site reload`: tells the server of a root to read its configuration again. */
export const reloadCommand: Command = {
  name: "reload",
  summary: "let the running server read its configuration again, after a check",
  options: [
    ["--json", "print JSON"],
    ["--timeout <seconds>", `time limit (default: ${DEFAULT_SECONDS})`],
  ],
  run: reload,
};

async function reload({ root, options, out }: CommandInput): Promise<number> {
  const runtime = join(root, await readRuntimeFolder(root));
  const holder = rootHolder(runtime);
  if (holder === null || isAlive(holder) === false) {
    throw new SiteError("ERR_RELOAD_NONE", `no server runs on the site root ${root}`, {
      fix: "start it with site serve: a start reads the configuration too",
    });
  }
  if (isAlive(holder) === null) {
    const where = JSON.stringify(holder.host);
    throw new SiteError("ERR_RELOAD_NONE", `the server runs on ${where} or in a container`, {
      fix: "run site reload there, or send SIGHUP to its process",
    });
  }
  const before = await readReloadNote(runtime);
  process.kill(holder.pid, RELOAD_SIGNAL);
  const state = await nextNote(runtime, before?.at ?? null, parseSeconds(options["timeout"]));
  if (options["json"] === true) out.json(state);
  else tell(state, out);
  return state.state === "valid" ? 0 : 1;
}

function tell({ state, problems }: ConfigState, out: CommandInput["out"]): void {
  if (state === "valid") return out.line("reloaded");
  out.error("not reloaded: the site runs on with the configuration before");
  for (const { file, line, message, fix } of problems) {
    const isNamed = file === null || message.startsWith(file);
    out.error(isNamed ? message : `${file}:${line}: ${message}`);
    if (fix !== null && !message.includes(fix)) out.error(`  ${out.colour.cyan("fix:")} ${fix}`);
  }
}

async function nextNote(
  runtime: string,
  before: string | null,
  seconds: number,
): Promise<ConfigState> {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await delay(POLL_MS);
    const note = await readReloadNote(runtime);
    if (note !== null && note.at !== before) {
      const { state, at, problems } = note;
      return { state, at, problems };
    }
  }
  throw new SiteError("ERR_RELOAD_SILENT", `the server did not reload within ${seconds} s`, {
    fix: "see its log, or pass a longer --timeout",
  });
}

function parseSeconds(option: unknown): number {
  const seconds = Number(option ?? DEFAULT_SECONDS);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600) return seconds;
  throw optionError(`--timeout is ${JSON.stringify(option)}`, {
    fix: "pass whole seconds from 1 to 3600",
  });
}
