import { nearest } from "#lib/values";
import { processEnv } from "../../config/env.js";
import type { Command, CommandInput, Plugin } from "../../contracts.js";
import { kernelErrors, optionError } from "../../errors.js";
import { inspectSite, type FirstParty } from "../../boot/load-site.js";

/** The page of the documentation with an anchor per code. */
const ERRORS_PAGE = "/extend/errors";
const JSON_OPTION = ["--json", "print JSON"] as const;

/** `site errors:explain`. */
export function explainErrorCommand(firstParty: FirstParty): Command {
  return {
    name: "errors:explain",
    summary: "explain an error code and its fix",
    arguments: "<code>",
    options: [JSON_OPTION],
    run: (input) => explainError(firstParty, input),
  };
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
