import type { Command } from "#kernel";
import { kernelCommands } from "../../kernel/cli/main.js";
import { serveCommand, serveOptions } from "../../kernel/cli/serve/serve.js";
import { firstParty } from "../../plugins/main.js";
import type { DocsSite } from "./docs-site.js";
import { code, table } from "./table.js";

/** A command as the documentation shows it. */
export interface Described {
  usage: string;
  summary: string;
  owner: string;
  options: readonly (readonly [flags: string, help: string])[];
}

const ROOT = ["--root <dir>", "the site's folder (default: the current one)"] as const;

const SERVE_OPTIONS = serveOptions.map(
  ([flags, help, value]) =>
    [flags, value === undefined ? help : `${help} (default: ${value})`] as const,
);

/** Every command with its options. */
export function commandReference(open: DocsSite): string {
  return commandList(open).map(toSection).join("\n\n");
}

/** Every command: those that serve first, then the others by name. */
export function commandList({ commands }: DocsSite): Described[] {
  const serving = new Set([serveCommand.name, ...(firstParty.serving ?? [])]);
  const own = kernelCommands.map((command) => ({ command, owner: "kernel" }));
  const all = [...own, ...commands].map(({ command, owner }) => ({
    isServing: serving.has(command.name),
    described: describe(command, owner, serving.has(command.name) ? SERVE_OPTIONS : [ROOT]),
  }));
  const first = all.filter(({ isServing }) => isServing).map(({ described }) => described);
  const rest = all.filter(({ isServing }) => !isServing).map(({ described }) => described);
  return [...first, ...rest.sort((a, b) => (a.usage < b.usage ? -1 : 1))];
}

function toSection({ usage, summary, owner, options }: Described): string {
  const rows = options.map(([flags, help]) => [code(flags), help]);
  const name = usage.split(" ")[0] ?? usage;
  return `### ${name}\n\n\`\`\`sh\nsite ${usage}\n\`\`\`\n\n${sentence(summary)} From ${code(owner)}.\n\n${table(["Option", "What it does"], rows)}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describe(command: Command, owner: string, before: Described["options"]): Described {
  const { name, summary, arguments: words, options = [] } = command;
  const usage = words === undefined ? name : `${name} ${words}`;
  return { usage, summary, owner, options: [...before, ...options] };
}
