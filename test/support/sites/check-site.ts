/** Runs the commands for pages on a small site. */
import { SiteError, type Command } from "#kernel";
import { report } from "../../../kernel/cli/report.js";
import { bootSite, type TestSite } from "./boot-site.js";
import { commandOutput } from "../processes/command-output.js";

/** A site with a home page that links to `/blog/one`. */
export function bootPages(files: Record<string, string> = {}): Promise<TestSite> {
  return bootSite({
    files: {
      "content/01.home/default.md": "---\ntitle: Home\n---\n[one](/blog/one)\n",
      "content/02.blog/default.md": "---\ntitle: Blog\n---\n",
      "content/02.blog/01.one/default.md": "---\ntitle: One\n---\n",
      ...files,
    },
    plugins: ["content", "check", "pages", "render"],
  });
}

/** The output of a command and its exit code; a wrong option or argument is reported as the command line does. */
export async function runCommand(
  site: TestSite,
  command: Command,
  { args = [], options = {} }: { args?: string[]; options?: Record<string, unknown> } = {},
) {
  const { out, ...printed } = commandOutput();
  const context = async () => site.site.context("check");
  const running = async () => command.run({ args, options, site: context, out, root: site.root });
  const code = await running().catch((error: unknown) => {
    if (error instanceof SiteError && error.exitCode !== undefined) return report(error, out);
    throw error;
  });
  return { code, ...printed };
}
