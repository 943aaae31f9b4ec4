import {
  KeyedLock,
  type SiteContext,
  safeJoin,
  setConfigKeys,
  type ConfigFile,
  type ConfigText,
  type ConfigWriter,
} from "#kernel";
import { addPluginEntry } from "#lib/packages";
import type { AdminIdentity } from "../contract.js";
import { allowedChange } from "../write/settings-gate.js";
import type {
  ContentChange,
  ContentChangeResult,
  ContentService,
  WriteRights,
} from "../../content/contract.js";
import { notContent } from "../write/page-source.js";
import {
  parseTarget,
  type OutsideTarget,
  batchRights,
  lackingRight,
  permissionsFor,
  type Permissions,
} from "./allowed-path.js";
import {
  describeChange,
  parseChange,
  type Change,
  type ChangeResult,
  type Verdict,
  failed,
  type BatchMode,
} from "./changes.js";
import { deleteFile, SiteFiles, writeFile } from "./site-files.js";

/** A parsed batch. */
export interface Batch {
  dryRun: boolean;
  changes: readonly unknown[];
  actor: { id: string; name: string; email: string };
  permissions: Permissions;
  /** Limits the changes of pages, media and records. */
  rights: WriteRights;
  /** The sender: its rights decide about configuration files. */
  identity: AdminIdentity;
}
type ApplySite = Pick<SiteContext, "paths" | "configFiles" | "use" | "settings">;
/** A batch with the files that it has changed so far. */
interface BatchRun {
  readonly batch: Batch;
  readonly files: SiteFiles;
  readonly texts: ConfigTexts;
}
type Step = { name: ChangeResult; content: ContentChange | null; verdict: Verdict | null };
type PathChange = Extract<Change, { path: string }>;

/** Applies a site's batches one at a time; changes are applied in order and independently. */
export class BatchApplier {
  readonly #site: ApplySite;
  readonly #lock = new KeyedLock();

  constructor(site: ApplySite) {
    this.#site = site;
  }

  /** The result of each change; a failed change does not block others. */
  apply(batch: Batch): Promise<ChangeResult[]> {
    return this.#lock.run("batch", () => this.#run(batch));
  }

  async #run(batch: Batch): Promise<ChangeResult[]> {
    const isDry = batch.dryRun;
    const files = new SiteFiles(this.#site.paths.root, { isDry });
    const texts = new ConfigTexts(this.#site.configFiles, { isDry });
    const steps: Step[] = [];
    // Content files and other files do not overlap, so they can be applied one after the other.
    for (const value of batch.changes) steps.push(await this.#step(value, { batch, files, texts }));
    const outcomes = await this.#applyContent(steps, batch);
    if (!isDry) await this.#refreshFlex(steps);
    return steps.map((step, at) => {
      const verdict = step.verdict ?? outcomes.get(at) ?? { status: "skipped" };
      return toResult(step.name, verdict, isDry);
    });
  }

  async #step(value: unknown, run: BatchRun): Promise<Step> {
    const parsed = parseChange(value);
    if ("error" in parsed) {
      const name = { op: "", status: "error" as const, errors: [], ...parsed.name };
      return { name, content: null, verdict: { status: "error", errors: [parsed.error] } };
    }
    const { change } = parsed;
    const name: ChangeResult = { ...describeChange(change), status: "skipped", errors: [] };
    if ("path" in change) return { name, ...(await this.#onPath(change, run)) };
    const lacking = lackingRight(permissionsFor(change, null), run.batch.permissions);
    if (lacking !== null) return { name, content: null, verdict: refused(lacking) };
    const verdict =
      change.op === "config"
        ? await this.#editConfig("site", run, (text) =>
            setConfigKeys("site", text, [{ key: change.key, value: change.value ?? null }]),
          )
        : await installPlugin(change.spec, (next) => this.#editConfig("site", run, next));
    return { name, content: null, verdict };
  }

  async #editConfig(
    file: ConfigFile,
    { batch, texts }: BatchRun,
    next: (text: string) => string,
  ): Promise<Verdict> {
    try {
      const { text: current } = await texts.read(file);
      const change = { file, identity: batch.identity, next, isDry: batch.dryRun };
      const allowed = await allowedChange(this.#site, change, current);
      return await texts.edit(file, allowed);
    } catch (error) {
      return failed(error);
    }
  }

  async #onPath(change: PathChange, run: BatchRun): Promise<Pick<Step, "content" | "verdict">> {
    const isPage = (path: string): boolean => this.#site.use("content").isPage(path);
    const target = parseTarget(change.path, { ...this.#site.paths, isPage });
    if (typeof target === "string") return { content: null, verdict: refused(target) };
    const lacking = lackingRight(permissionsFor(change, target), run.batch.permissions);
    if (lacking !== null) {
      const message = `${JSON.stringify(change.path)}: ${lacking}`;
      return { content: null, verdict: refused(message) };
    }
    if (target.kind === "content") {
      const isMedia = target.file === "media" && change.op !== "delete";
      if (isMedia) return { content: null, verdict: refused(notContent(change.path)) };
      return { content: { ...change, path: target.path }, verdict: null };
    }
    return { content: null, verdict: await this.#outside(target, change, run) };
  }

  async #outside(target: OutsideTarget, change: PathChange, run: BatchRun): Promise<Verdict> {
    if (change.op === "frontmatter") return refused("only pages have front matter");
    if (target.kind === "config") {
      if (change.op === "delete")
        return refused("a config file cannot be deleted; change its keys");
      return this.#editConfig(target.file, run, () => change.content);
    }
    const { files, batch } = run;
    if (change.op === "delete") return deleteFile(files, target.path);
    const flex = this.#site.use("flex", { optional: true });
    return writeFile({ files, flex, rights: batch.rights }, { ...target, content: change.content });
  }

  async #applyContent(steps: readonly Step[], batch: Batch): Promise<Map<number, Verdict>> {
    const positions = steps.flatMap(({ content }, at) => (content === null ? [] : [at]));
    const changes = steps.flatMap(({ content }) => content ?? []);
    if (changes.length === 0) return new Map();
    const content: ContentService = this.#site.use("content");
    const { dryRun, actor, rights } = batch;
    const options = { dryRun, actor, rights: batchRights(rights) };
    const results = await content.apply(changes, { ...options, message: "dev/apply" });
    return new Map(
      results.flatMap((result, index) => {
        const at = positions[index];
        return at === undefined ? [] : [[at, contentVerdict(result)] as const];
      }),
    );
  }

  async #refreshFlex(steps: readonly Step[]): Promise<void> {
    const touched = steps.some(
      ({ name, verdict }) =>
        /^(flex-objects|data\/flex)\//.test(name.path ?? "") && verdict?.status !== "error",
    );
    if (touched) await this.#site.use("flex", { optional: true })?.refresh();
  }
}

function refused(error: string): Verdict {
  return { status: "error", errors: [error] };
}

function contentVerdict({ status, errors }: ContentChangeResult): Verdict {
  if (status === "error") return { status, errors };
  return { status: status === "moved" ? "updated" : status };
}

function toResult(name: ChangeResult, verdict: Verdict, isDry: boolean): ChangeResult {
  if (verdict.status === "error") return { ...name, status: "error", errors: verdict.errors };
  const { status } = verdict;
  return { ...name, errors: [], status: isDry && status !== "skipped" ? DRY[status] : status };
}

const DRY = {
  created: "would_create",
  updated: "would_update",
  deleted: "would_delete",
} as const;

/** True when `dev/apply` is available. */
export function isDevMode({
  settings,
  runtime: { env },
}: Pick<SiteContext, "runtime" | "settings">): boolean {
  return env.mode === "dev" || settings.system.debug;
}

/** Warns that `system.debug` enables `dev/apply` on a production server. */
export function warnOfDebug(site: Pick<SiteContext, "runtime" | "settings" | "log">): void {
  const { log, settings } = site;
  const { env } = site.runtime;
  if (env.mode === "dev" || !settings.system.debug) return;
  log.warn("admin.debug_open", {
    key: "system.debug",
    opens: `POST ${settings.admin.path}/api/dev/apply`,
    fix: "remove `debug: true` from system.yaml, unless this server is meant to accept batches",
  });
}

/** Config files during a batch: written immediately, or in memory for a dry run. */
export class ConfigTexts {
  readonly #files: ConfigWriter;
  readonly #isDry: boolean;
  readonly #drafts = new Map<ConfigFile, ConfigText>();

  constructor(files: ConfigWriter, { isDry }: BatchMode) {
    this.#files = files;
    this.#isDry = isDry;
  }

  async read(file: ConfigFile): Promise<ConfigText> {
    return this.#drafts.get(file) ?? this.#files.read(file);
  }

  /** Changes the text of a file; an invalid result is not written. */
  async edit(file: ConfigFile, next: (text: string) => string): Promise<Verdict> {
    try {
      if (!this.#isDry) return await this.#write(file, next);
      const before = await this.read(file);
      const text = next(before.text);
      await this.#files.assertValid(before.path, text);
      this.#drafts.set(file, { ...before, exists: true, text });
      return verdict(before, text);
    } catch (error) {
      return failed(error);
    }
  }

  async #write(file: ConfigFile, next: (text: string) => string): Promise<Verdict> {
    const seen: ConfigText[] = [];
    const after = await this.#files.edit(file, (before) => {
      seen.push(before);
      return next(before.text);
    });
    return verdict(seen[0] ?? after, after.text);
  }
}

function verdict(before: ConfigText, text: string): Verdict {
  if (before.exists && before.text === text) return { status: "skipped" };
  return { status: before.exists ? "updated" : "created" };
}

const PACKAGE = /^(?:npm|jsr):(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@[~^]?\d+(\.\d+){0,2}(-[\w.]+)?$/;
const FOLDER = /^\.\/[\w./-]+$/;

/**
 * `plugin.install`: adds a plugin to `plugins:` of site.yaml; does not download or run anything.
 */
async function installPlugin(
  spec: string,
  edit: (next: (text: string) => string) => Promise<Verdict>,
): Promise<Verdict> {
  if (!isSpec(spec)) {
    const errors = [
      `${JSON.stringify(spec.slice(0, 120))} is not a plugin: use npm:name@version or ./folder of the site`,
    ];
    return { status: "error", errors };
  }
  return edit((text) => addPluginEntry(text, spec));
}

/** True for a pinned package or a path below the site root. */
export function isSpec(spec: string): boolean {
  if (PACKAGE.test(spec)) return true;
  return FOLDER.test(spec) && safeJoin("/site", spec.slice(2)) !== null;
}
