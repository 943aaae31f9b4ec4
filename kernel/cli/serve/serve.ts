import { ENV_FILE_OPTION } from "../../config/env.js";
import type { Command } from "../../contracts.js";
import type { ServeInput } from "../tool-input.js";

/** An option in commander's syntax: flags, help, default. */
export type CommandOption = readonly [flags: string, help: string, value?: string];

/** The options of `serve`, and of the tools' commands that serve. */
export const serveOptions: readonly CommandOption[] = [
  ["--root <dir>", "the site's folder", "."],
  ["--port <number>", "port to listen on (0: a free one)", "8000"],
  ["--host <address>", "address to listen on", "127.0.0.1"],
  ENV_FILE_OPTION,
  ["--plugins <names>", "first-party plugins to select for this run, separated by commas"],
  ["--safe", "run only first-party plugins: no other plugin, no theme of the site"],
  ["--without <plugins>", "leave out these plugins (src or name), separated by commas"],
  ["--workers <number>", "processes that serve (auto: one per core); dev ignores it"],
  ["--verbose", "print the duration of startup steps"],
];

/** `site serve`. */
export const serveCommand: Command = {
  name: "serve",
  summary: "serve the site",
  run: async (input: ServeInput) => (await input.launch("production")).serve(),
};
