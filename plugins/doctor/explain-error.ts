import { optionError, type Plugin, type ToolInput } from "#kernel";
import { nearest } from "#lib/values";

/** The page of the documentation with an anchor per code. */
const ERRORS_PAGE = "/extend/errors";

/** `site errors:explain`: prints the message of a code, of any plugin. */
export async function explainError(input: ToolInput): Promise<number> {
  const { args, options, out } = input;
  const [code = ""] = args;
  const areas = [{ name: "kernel", errors: input.kernelErrors }, ...(await pluginsOf(input))];
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
  const page = isFirstParty(found.area, input)
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

function isFirstParty(area: string, { firstParty: { plugins } }: ToolInput): boolean {
  return area === "kernel" || plugins.some(({ name }) => name === area);
}

/** First-party plugins always; those of the site if they can be loaded. */
async function pluginsOf({ firstParty, inspect }: ToolInput): Promise<Plugin[]> {
  const own = await Promise.all(firstParty.plugins.map(({ load }) => load()));
  const site = await inspect().catch(() => null);
  const others = (site?.plugins ?? []).filter((loaded) => !loaded.firstParty);
  return [...own, ...others.map(({ plugin }) => plugin)];
}
