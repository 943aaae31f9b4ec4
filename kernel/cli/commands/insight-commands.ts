import { nearest } from "#lib/values";
import { processEnv } from "../../config/environment/env.js";
import type { Command, CommandInput, Plugin } from "../../contracts.js";
import { kernelErrors, optionError } from "../../errors.js";
import { inspectSite, type FirstParty } from "../../boot/load-site.js";
import { assertStatus, bisectPlugins } from "../bisect/bisect-plugins.js";
import { probeSite } from "../bisect/probe-site.js";
import { explainHook } from "./explain-hook.js";

/** The page of the documentation with an anchor per code. */
const ERRORS_PAGE = "/extend/errors";
const JSON_OPTION = ["--json", "print JSON"] as const;
const TIMEOUT_OPTION = [
  "--timeout <seconds>",
  "time limit for startup and response (default: 30)",
] as const;
const OFF_OPTIONS = [
  ["--safe", "run only first-party plugins: no other plugin, no theme of the site"],
  ["--without <plugins>", "leave out these plugins (src or name), separated by commas"],
] as const;

/** The commands that show what plugins do, and find a broken one. */
export function insightCommands(firstParty: FirstParty): Command[] {
  return [
    {
      name: "plugins:explain",
      summary:
        "list the plugins that handle a hook, in order and with the reason, or that add to an engine slot or extension list",
      arguments: "<hook-or-slot>",
      options: [JSON_OPTION],
      run: async (input) =>
        explainHook(await inspectSite(input.root, { firstParty, env: processEnv() }), input),
    },
    {
      name: "plugins:bisect",
      summary: "find the plugin or theme that breaks an address of the site",
      arguments: "<url>",
      options: [
        JSON_OPTION,
        ["--expect <status>", "the expected status (default: any below 500)"],
        ["--contains <text>", "a text that the response should contain"],
        TIMEOUT_OPTION,
      ],
      run: (input) => {
        assertStatus(input.options["expect"]);
        return bisectPlugins(firstParty, input);
      },
    },
    {
      name: "plugins:probe",
      summary: "start the site without some plugins and print the response of one address",
      arguments: "<url>",
      options: [JSON_OPTION, ...OFF_OPTIONS, TIMEOUT_OPTION],
      run: (input) => probeSite(firstParty, input),
    },
    {
      name: "plugins:test",
      summary: "run the tests of all or some of the site's plugins",
      arguments: "[names...]",
      run: async (input) => (await import("./test-plugins.js")).testPlugins(input),
    },
    {
      name: "errors:explain",
      summary: "explain an error code and its fix",
      arguments: "<code>",
      options: [JSON_OPTION],
      run: (input) => explainError(firstParty, input),
    },
  ];
}

/** The message of a code, of any plugin. */
async function explainError(
  firstParty: FirstParty,
  { args, options, out, root }: CommandInput,
): Promise<number> {
  const [code = ""] = args;
  const areas = [{ name: "kernel", errors: kernelErrors }, ...(await pluginsOf(firstParty, root))];
  const known = areas.flatMap(({ name, errors = {} }) =>
    Object.entries(errors).map(([found, text]) => ({ code: found, area: name, text })),
  );
  const found = known.find((entry) => entry.code === code.toUpperCase());
  if (found === undefined) {
    const meant = nearest(
      code.toUpperCase(),
      known.map((entry) => entry.code),
    );
    throw optionError(`no error has the code ${JSON.stringify(code)}`, {
      fix: meant === null ? "copy the code as it was printed" : `did you mean ${meant}?`,
    });
  }
  const page = isFirstParty(found.area, firstParty)
    ? `${ERRORS_PAGE}#${found.code.toLowerCase()}`
    : null;
  if (options["json"] === true) out.json({ ...found, page });
  else {
    out.line(`${out.colour.bold(found.code)}  ${out.colour.dim(found.area)}`);
    out.line(found.text);
    if (page !== null) out.line(out.colour.dim(`more: ${page} in the documentation`));
  }
  return 0;
}

function isFirstParty(area: string, { plugins }: FirstParty): boolean {
  return area === "kernel" || plugins.some(({ name }) => name === area);
}

/** First-party plugins always; those of the site if they can be loaded. */
async function pluginsOf(firstParty: FirstParty, root: string): Promise<Plugin[]> {
  const own = await Promise.all(firstParty.plugins.map(({ load }) => load()));
  const site = await inspectSite(root, { firstParty, env: processEnv() }).catch(() => null);
  const others = (site?.plugins ?? []).filter(({ firstParty }) => !firstParty);
  return [...own, ...others.map(({ plugin }) => plugin)];
}
