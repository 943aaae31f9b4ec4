import { processEnv } from "../config/env.js";
import type { Command, CommandInput, Plugin } from "../contracts.js";
import { kernelErrors, SiteError } from "../errors.js";
import { inspectSite, type House } from "../load-site.js";
import { nearest } from "../nearest.js";
import { assertStatus, bisectPlugins } from "./bisect-plugins.js";
import { explainHook } from "./explain-hook.js";
import { probeSite } from "./probe-site.js";

/** The page of the documentation with an anchor per code. */
const ERRORS_PAGE = "/extend/errors";
const JSON_OPTION = ["--json", "print JSON"] as const;
const TIMEOUT_OPTION = [
  "--timeout <seconds>",
  "longest time for a start and an answer (default: 30)",
] as const;
const OFF_OPTIONS = [
  ["--safe", "run only code of the house: no other plugin, no theme of the site"],
  ["--without <plugins>", "leave out these plugins (src or name), separated by commas"],
] as const;

/** The commands that say what plugins do, and which of them is at fault. */
export function insightCommands(house: House): Command[] {
  return [
    {
      name: "plugins:explain",
      summary: "say which plugins handle a hook, in which order and why",
      arguments: "<hook>",
      options: [JSON_OPTION],
      run: async (input) =>
        explainHook(await inspectSite(input.root, { house, env: processEnv() }), input),
    },
    {
      name: "plugins:bisect",
      summary: "find the plugin or theme that breaks an address of the site",
      arguments: "<url>",
      options: [
        JSON_OPTION,
        ["--expect <status>", "the status it should have; without it any below 500"],
        ["--contains <text>", "a text that the answer should contain"],
        TIMEOUT_OPTION,
      ],
      run: (input) => {
        assertStatus(input.options["expect"]);
        return bisectPlugins(house, input);
      },
    },
    {
      name: "plugins:probe",
      summary: "start the site without some plugins, ask for one address, say how it answers",
      arguments: "<url>",
      options: [JSON_OPTION, ...OFF_OPTIONS, TIMEOUT_OPTION],
      run: (input) => probeSite(house, input),
    },
    {
      name: "plugins:test",
      summary: "run the tests of the site's plugins, of some or of all",
      arguments: "[names...]",
      run: async (input) => (await import("./test-plugins.js")).testPlugins(input),
    },
    {
      name: "errors:explain",
      summary: "say what an error code means and what to do",
      arguments: "<code>",
      options: [JSON_OPTION],
      run: (input) => explainError(house, input),
    },
  ];
}

/** The sentence of a code, whichever plugin it is of. */
async function explainError(
  house: House,
  { args, options, out, root }: CommandInput,
): Promise<number> {
  const [code = ""] = args;
  const areas = [{ name: "kernel", errors: kernelErrors }, ...(await pluginsOf(house, root))];
  const known = areas.flatMap(({ name, errors = {} }) =>
    Object.entries(errors).map(([found, text]) => ({ code: found, area: name, text })),
  );
  const found = known.find((entry) => entry.code === code.toUpperCase());
  if (found === undefined) {
    const meant = nearest(
      code.toUpperCase(),
      known.map((entry) => entry.code),
    );
    throw new SiteError("ERR_CLI_OPTION", `no error has the code ${JSON.stringify(code)}`, {
      fix: meant === null ? "copy the code as it was printed" : `did you mean ${meant}?`,
    });
  }
  const page = isOfHouse(found.area, house) ? `${ERRORS_PAGE}#${found.code.toLowerCase()}` : null;
  if (options["json"] === true) out.json({ ...found, page });
  else {
    out.line(`${out.colour.bold(found.code)}  ${out.colour.dim(found.area)}`);
    out.line(found.text);
    if (page !== null) out.line(out.colour.dim(`more: ${page} in the documentation`));
  }
  return 0;
}

function isOfHouse(area: string, { plugins }: House): boolean {
  return area === "kernel" || plugins.some(({ name }) => name === area);
}

/** Those of the house always; those of the site while they can be loaded. */
async function pluginsOf(house: House, root: string): Promise<Plugin[]> {
  const own = await Promise.all(house.plugins.map(({ load }) => load()));
  const site = await inspectSite(root, { house, env: processEnv() }).catch(() => null);
  const others = (site?.plugins ?? []).filter(({ firstParty }) => !firstParty);
  return [...own, ...others.map(({ plugin }) => plugin)];
}
