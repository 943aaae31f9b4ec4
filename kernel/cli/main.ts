import { resolve } from "node:path";
import { Command as Commander, CommanderError } from "commander";
import { within } from "#lib/concurrency";
import { SiteError } from "#lib/errors";
import { shownValue } from "#lib/values";
import { readPackage } from "#lib/packages";
import { ENV_FILE_OPTION, readEnvFiles, processEnv } from "../config/env.js";
import type { Command, CommandInput } from "../contracts.js";
import { kernelErrors } from "../errors.js";
import type { QuietSite } from "../boot/create-site.js";
import type { CliContext, ServeInput, ToolInput } from "./tool-input.js";
import { createOutput, machineProblem, surviveClosedOutput } from "#lib/terminal";
import { pluginCommands, toolCommands, type PluginCommands } from "./plugin-commands.js";
import { report } from "./report.js";
import type { Program } from "./serve/launch.js";
import { type CommandOption, serveCommand, serveOptions } from "./serve/serve.js";

/** A higher one is cut by the system: 256 would read as success. */
const MAX_EXIT_CODE = 255;
/** Time limit of closing the site of a command, in ms. */
const CLOSE_MS = 15_000;
/** What a command leaves open, such as a connection to a server that hangs, keeps the process this long, in ms. */
const LINGER_MS = 3_000;

/**
 * Runs the command line. The exit code is 0, the command's own, 1 for a reported failure, or 2 for a
 * command that could not run.
 */
export async function main(argv: readonly string[], firstParty: Program): Promise<void> {
  const out = createOutput();
  surviveClosedOutput({ isServing: servingNames(firstParty).has(argv[2] ?? "") });
  try {
    readEnvFiles(argv.slice(2));
    const { program, clashes, failure } = await createProgram({ firstParty, out }, argv);
    const isReported = await program.parseAsync([...argv]).then(
      () => false,
      (error: unknown) => {
        const isUnknown =
          error instanceof CommanderError && error.code === "commander.unknownCommand";
        // It may be one of a plugin that cannot be loaded.
        if (isUnknown && failure !== null) report(failure, out);
        process.exitCode = report(error, out);
        return error instanceof SiteError && error.code === "ERR_COMMAND_DUPLICATE";
      },
    );
    if (!isReported) warnOfClashes(clashes, out);
  } catch (error) {
    process.exitCode = report(error, out);
  }
  if (!servingNames(firstParty).has(argv[2] ?? "")) exitSoon();
}

/** Exits with the exit code of the command, if the process has not ended by itself until then. */
function exitSoon(): void {
  setTimeout(() => process.stdout.write("", () => process.exit()), LINGER_MS).unref();
}

function warnOfClashes(clashes: readonly SiteError[], out: CliContext["out"]): void {
  const { yellow, cyan } = out.colour;
  for (const { message, fix } of clashes) {
    out.error(`${yellow("!")} ${message}: it is left out, and the site does not start`);
    out.error(`  ${cyan("fix:")} ${fix}`);
  }
}

/** Names of the commands that serve. */
function servingNames({ serving = [] }: Program): ReadonlySet<string> {
  return new Set([serveCommand.name, ...serving]);
}

interface CreatedProgram extends Pick<PluginCommands, "clashes" | "failure"> {
  readonly program: Commander;
}

async function createProgram(
  context: CliContext,
  argv: readonly string[],
): Promise<CreatedProgram> {
  const program = new Commander("site")
    .description("A folder of Markdown becomes a site and an API")
    .version(readPackage().version)
    .showSuggestionAfterError()
    // `report` prints them as every other failure.
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  const { firstParty } = context;
  const serving = servingNames(firstParty);
  const isServing = ({ name }: Command): boolean => serving.has(name);
  const name = argv[2] ?? "";
  // The commands that serve read the site themselves: it is not read twice at startup.
  if (serving.has(name)) {
    const tools = name === serveCommand.name ? [] : await toolCommands(firstParty);
    for (const command of [serveCommand, ...tools.filter(isServing)]) {
      addCommand(program, command, { ...context, plugin: null, options: serveOptions });
    }
    return { program, clashes: [], failure: null };
  }
  const declared = await pluginCommands(firstParty, argv);
  const all = [...kernelCommands, ...declared.commands];
  for (const command of [...all.filter(isServing), ...all.filter((one) => !isServing(one))]) {
    const plugin = declared.owners.get(command) ?? null;
    const options = isServing(command) ? serveOptions : [ROOT, ENV_FILE_OPTION];
    addCommand(program, command, { ...context, plugin, options });
  }
  const { clashes, failure } = declared;
  return { program, clashes, failure };
}

const ROOT: CommandOption = ["--root <dir>", "the site's folder", "."];

interface CommandContext extends CliContext {
  /** The plugin of the site that declares the command; null: a first-party plugin, or the kernel. */
  readonly plugin: string | null;
}

interface AddedCommand extends CommandContext {
  /** The options before its own. */
  readonly options: readonly CommandOption[];
}

function addCommand(program: Commander, command: Command, context: AddedCommand): void {
  const usage = command.arguments ? `${command.name} ${command.arguments}` : command.name;
  const sub = program.command(usage).description(command.summary);
  for (const option of context.options) sub.option(...option);
  for (const [flags, help] of command.options ?? []) sub.option(flags, help);
  sub.action(async (...received: unknown[]) => {
    const options = sub.opts();
    const args = received
      .slice(0, -2)
      .flat()
      .filter((word) => word !== undefined)
      .map(String);
    process.exitCode = await runCommand(command, { ...context, args, options });
  });
}

interface Invocation extends CommandContext {
  args: readonly string[];
  options: Record<string, unknown>;
}

async function runCommand(command: Command, invocation: Invocation): Promise<number> {
  const root = resolve(String(invocation.options["root"] ?? "."));
  const opened: QuietSite[] = [];
  // The help needs none of the modules that run a site.
  const running = () => import("./running.js");
  const site: CommandInput["site"] = async ({ checks, ...options } = {}) => {
    const { createQuietSite, silentLog } = await running();
    const created = await createQuietSite(root, {
      firstParty: invocation.firstParty,
      env: processEnv(),
      log: silentLog,
      ...options,
    });
    opened.push(created);
    await created.start();
    if (checks === true) await created.check();
    return created.context("cli");
  };
  const { firstParty } = invocation;
  const inspect: ToolInput["inspect"] = async ({ mode, ...options } = {}) => {
    const { inspectSite } = await import("../boot/load-site.js");
    return inspectSite(root, { firstParty, env: processEnv(mode), ...options });
  };
  const boot: ToolInput["boot"] = async (options = {}) => {
    const { createSite, silentLog } = await running();
    const env = processEnv("production");
    return createSite(root, { firstParty, env, log: silentLog, ...options });
  };
  const launch: ServeInput["launch"] = async (mode) => {
    const { Launch } = await running();
    return new Launch({ ...invocation, root }, mode);
  };
  const input: ServeInput = { ...invocation, kernelErrors, root, site, inspect, boot, launch };
  const whose = invocation.plugin === null ? "" : `plugin "${invocation.plugin}": `;
  const unfinished = (): void => {
    invocation.out.error(
      `the command ${command.name} did not finish: it awaits a promise that never settles`,
    );
    process.exitCode = 1;
  };
  // Node exits with 0 when it has nothing left to do, whatever is awaited.
  process.once("beforeExit", unfinished);
  try {
    return toExitCode(await command.run(input), `${whose}the command ${command.name}`);
  } catch (error) {
    throw commandFailure(error, command, invocation);
  } finally {
    process.off("beforeExit", unfinished);
    for (const created of opened) {
      await within(CLOSE_MS, created.close(), () => {
        invocation.out.error(`the site did not close within ${CLOSE_MS / 1_000} s`);
      });
    }
  }
}

/** @throws ERR_COMMAND_VALUE for anything but an exit code or nothing. */
function toExitCode(returned: unknown, who: string): number {
  if (returned === undefined || returned === null) return 0;
  const isCode = typeof returned === "number" && returned >= 0 && returned <= MAX_EXIT_CODE;
  if (isCode && Number.isInteger(returned)) return returned;
  throw new SiteError(
    "ERR_COMMAND_VALUE",
    `${who} returned ${shownValue(returned)}; expected an exit code from 0 to ${MAX_EXIT_CODE}, or nothing`,
    { fix: "return 0, another exit code, or nothing; print text with out.line" },
  );
}

/** The error of a plugin's command with its plugin; those that say what to do already stay as they are. */
function commandFailure(error: unknown, { name }: Command, { plugin }: CommandContext): unknown {
  const isClear = error instanceof SiteError || machineProblem(error) !== null;
  if (plugin === null || isClear) return error;
  const isError = error instanceof Error;
  return new SiteError(
    "ERR_COMMAND_FAILED",
    `plugin "${plugin}": the command ${name} failed: ${isError ? error.message : shownValue(error)}`,
    {
      cause: error,
      fix: isError
        ? "correct the command where it failed, or return an exit code"
        : "throw an Error: its stack shows where",
    },
  );
}

/** The commands of the kernel. */
export const kernelCommands: readonly Command[] = [serveCommand];
