/** The commands for the configuration and for codes of errors; only `schema:export --blueprints` boots the site. */
import {
  type CommandInput,
  ConfigError,
  type ConfigFile,
  type LoadedSite,
  optionError,
  type Output,
  type ToolInput,
  type Plugin,
} from "#kernel";
import { SiteError } from "#lib/errors";
import { maskSecrets } from "#lib/schema";
import {
  formatProblem,
  type FileProblem,
  formatKey,
  isRecord,
  type KeyPath,
  nearest,
} from "#lib/values";

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];

/** Exit codes of `config:validate`. */
const VALID = 0;
const INVALID = 1;
const COULD_NOT_RUN = 2;

/** The site as its files describe it. @throws SiteError with exit code 2 when it cannot be read. */
async function inspected(input: ToolInput, { validates = false } = {}): Promise<LoadedSite> {
  try {
    return await input.inspect({ validates, mode: parseMode(input.options["env"]) });
  } catch (error) {
    if (!(error instanceof SiteError) || error instanceof ConfigError) throw error;
    const { code, message, fix, exitCode = COULD_NOT_RUN } = error;
    throw new SiteError(code, message, {
      exitCode,
      cause: error,
      ...(fix !== undefined && { fix }),
    });
  }
}

function parseMode(option: unknown): LoadedSite["env"]["mode"] | undefined {
  if (option === undefined || option === "dev" || option === "production") return option;
  throw new SiteError("ERR_CONFIG_MODE", `--env ${JSON.stringify(option)} is unknown`, {
    fix: "use --env dev or --env production",
  });
}

/** `site config:validate`: prints every problem. */
export async function validateConfig(input: ToolInput): Promise<number> {
  const { config, files } = await inspected(input, { validates: true });
  const { out, options } = input;
  const { problems, warnings } = config;
  if (options["json"] === true) {
    out.json({ errors: problems.map(toJson) });
    return problems.length === 0 ? VALID : INVALID;
  }
  for (const problem of problems) out.line(formatProblem(problem));
  for (const warning of warnings) out.error(`warning: ${formatProblem(warning)}`);
  const read = files.list.length === 0 ? "no file" : files.list.join(", ");
  if (problems.length === 0)
    out.line(`${out.colour.green("✓")} the configuration is valid (${read})`);
  return problems.length === 0 ? VALID : INVALID;
}

/** A missing value becomes null in JSON, so that every error has every key. */
function toJson(problem: FileProblem): Record<string, unknown> {
  const { file, line, column, key, received = null, expected, fix } = problem;
  return { file, line, column, key, received, expected, fix };
}

/** `site config:show`: prints each value with its source. */
export async function showConfig(input: ToolInput): Promise<number> {
  const { config } = await inspected(input);
  const { out, options } = input;
  const shown = FILES.map(
    (file) => [file, maskSecrets(config.settings[file], config.schemas[file])] as const,
  );
  const rows = shown.flatMap(([file, settings]) =>
    leaves(settings).map(([path, value]) => toRow(config, file, path, value)),
  );
  if (options["json"] === true) {
    const sources = Object.fromEntries(
      rows.map(({ file, key, source }) => [`${file}.${key}`, source]),
    );
    out.json({ ...Object.fromEntries(shown), sources });
  } else {
    printRows(rows, out);
  }
  for (const problem of config.problems) out.error(formatProblem(problem));
  return config.problems.length === 0 ? VALID : INVALID;
}

interface Row {
  file: ConfigFile;
  key: string;
  value: unknown;
  source: string;
}

function toRow(config: LoadedSite["config"], file: ConfigFile, path: KeyPath, value: unknown): Row {
  const place = config.source(file, path);
  const source = place ? `${place.file}:${place.line}:${place.column}` : "default";
  return { file, key: formatKey(path), value, source };
}

function printRows(rows: readonly Row[], out: Output): void {
  for (const file of FILES) {
    out.line(out.colour.bold(`${file}.yaml`));
    for (const row of rows.filter((candidate) => candidate.file === file)) {
      out.line(`  ${row.key}: ${JSON.stringify(row.value)}  ${out.colour.dim(`← ${row.source}`)}`);
    }
  }
}

/** Every value that is not a mapping; lists of mappings are flattened too. */
function leaves(value: unknown, path: KeyPath = []): (readonly [KeyPath, unknown])[] {
  if (Array.isArray(value) && value.some(isRecord)) {
    return value.flatMap((item: unknown, index) => leaves(item, [...path, index]));
  }
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0) return path.length === 0 || value === undefined ? [] : [[path, value]];
  return entries.flatMap(([key, item]) => leaves(item, [...path, key]));
}

/** `site schema:export`: prints the JSON Schema of a configuration file or, for `--blueprints`, of content. */
export async function exportSchema(input: ToolInput): Promise<number> {
  if (input.options["blueprints"] === true) return exportEditorSchemas(input);
  const { config } = await inspected(input);
  const name = input.args[0] ?? "site";
  const file = FILES.find((candidate) => candidate === name.replace(/\.yaml$/, ""));
  if (!file) {
    throw optionError(`no configuration file is named ${JSON.stringify(name)}`, {
      fix: `use one of ${FILES.join(", ")}`,
    });
  }
  input.out.json(config.schema(file));
  return VALID;
}

/** JSON Schema for editors of content, as a plugin provides them. */
async function exportEditorSchemas({ args, out, site }: CommandInput): Promise<number> {
  const schemas = (await site()).use("editorSchemas", { optional: true })?.all() ?? {};
  const [name] = args;
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  if (name === undefined) {
    out.json({ $schema, $defs: schemas });
    return VALID;
  }
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema === undefined) {
    const names = Object.keys(schemas).join(", ");
    throw optionError(`no blueprint is named ${JSON.stringify(name)}`, {
      fix: names === "" ? "select the plugin content: the site has none" : `use one of ${names}`,
    });
  }
  out.json({ $schema, ...schema });
  return VALID;
}

/** The page of the documentation with an anchor per code. */
const ERRORS_PAGE = "/extend/errors";

/** `site errors:explain`: prints the message of a code, of any plugin. */
export async function explainError(input: ToolInput): Promise<number> {
  const { args, options, out } = input;
  const [code = ""] = args;
  const areas = [{ name: "kernel", errors: input.kernelErrors }, ...(await loadPlugins(input))];
  const entries = areas.flatMap(({ name, errors = {} }) =>
    Object.entries(errors).map(([listed, text]) => ({ code: listed, area: name, text })),
  );
  const entry = entries.find((one) => one.code === code.toUpperCase());
  if (entry === undefined) {
    const meant = nearest(
      code.toUpperCase(),
      entries.map((one) => one.code),
    );
    throw optionError(`no error has the code ${JSON.stringify(code)}`, {
      fix: meant === null ? "copy the code as it was printed" : `did you mean ${meant}?`,
    });
  }
  const isFirstParty =
    entry.area === "kernel" || input.firstParty.plugins.some(({ name }) => name === entry.area);
  const page = isFirstParty ? `${ERRORS_PAGE}#${entry.code.toLowerCase()}` : null;
  if (options["json"] === true) out.json({ ...entry, page });
  else {
    out.line(`${out.colour.bold(entry.code)}  ${out.colour.dim(entry.area)}`);
    out.line(entry.text);
    if (page !== null) out.line(out.colour.dim(`more: ${page} in the documentation`));
  }
  return 0;
}

/** First-party plugins always; those of the site if they can be loaded. */
async function loadPlugins({ firstParty, inspect }: ToolInput): Promise<Plugin[]> {
  const plugins = await Promise.all(firstParty.plugins.map(({ load }) => load()));
  const site = await inspect().catch(() => null);
  const others = (site?.plugins ?? []).filter((loaded) => !loaded.firstParty);
  return [...plugins, ...others.map(({ plugin }) => plugin)];
}
