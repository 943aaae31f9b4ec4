import { KeyedLock, setConfigKeys, type SiteContext } from "#kernel";
import type { ContentChange, ContentChangeResult, ContentService } from "../../content/contract.js";
import { targetOf, type Target } from "./allowed-path.js";
import { nameOf, parseChange, type Change, type ChangeResult, type Verdict } from "./changes.js";
import { ConfigTexts } from "./config-texts.js";
import { deleteFile } from "./delete.js";
import { installPlugin } from "./install-plugin.js";
import { SiteFiles } from "./site-files.js";
import { writeFile } from "./write.js";

/** A batch as the route has read it. */
export interface Batch {
  dryRun: boolean;
  changes: readonly unknown[];
  actor: { id: string; name: string; email: string };
  /** Files that are code (themes, tsx and mdx pages) may be written. */
  mayWriteCode: boolean;
}
type ApplySite = Pick<SiteContext, "paths" | "configFiles" | "use" | "find">;
type Step = { name: ChangeResult; content: ContentChange | null; verdict: Verdict | null };
type PathChange = Extract<Change, { path: string }>;

/** The batches of a site: one at a time, each change on its own, in order. */
export class BatchApplier {
  readonly #site: ApplySite;
  readonly #lock = new KeyedLock();

  constructor(site: ApplySite) {
    this.#site = site;
  }

  /** What became of each change; an error of one blocks no other. */
  apply(batch: Batch): Promise<ChangeResult[]> {
    return this.#lock.run("batch", () => this.#run(batch));
  }

  async #run(batch: Batch): Promise<ChangeResult[]> {
    const isDry = batch.dryRun;
    const files = new SiteFiles(this.#site.paths.root, { isDry });
    const texts = new ConfigTexts(this.#site.configFiles, { isDry });
    const steps: Step[] = [];
    // Content shares no file with the rest, so that the two may be done one after the other.
    for (const value of batch.changes) steps.push(await this.#step(value, { batch, files, texts }));
    const outcomes = await this.#applyContent(steps, batch);
    if (!isDry) await this.#refreshFlex(steps);
    return steps.map((step, at) => {
      const verdict = step.verdict ?? outcomes.get(at) ?? { status: "skipped" };
      return toResult(step.name, verdict, isDry);
    });
  }

  async #step(
    value: unknown,
    parts: { batch: Batch; files: SiteFiles; texts: ConfigTexts },
  ): Promise<Step> {
    const parsed = parseChange(value);
    if ("error" in parsed) {
      const name = { op: "", status: "error" as const, errors: [], ...parsed.name };
      return { name, content: null, verdict: { status: "error", errors: [parsed.error] } };
    }
    const { change } = parsed;
    const name: ChangeResult = { ...nameOf(change), status: "skipped", errors: [] };
    if (change.op === "config") {
      const changes = [{ key: change.key, value: change.value ?? null }];
      const verdict = await parts.texts.edit("site", (text) =>
        setConfigKeys("site", text, changes),
      );
      return { name, content: null, verdict };
    }
    if (change.op === "plugin.install") {
      return { name, content: null, verdict: await installPlugin(parts.texts, change.spec) };
    }
    return { name, ...(await this.#onPath(change, parts)) };
  }

  async #onPath(
    change: PathChange,
    { batch, files, texts }: { batch: Batch; files: SiteFiles; texts: ConfigTexts },
  ): Promise<Pick<Step, "content" | "verdict">> {
    const target = targetOf(change.path, this.#site.paths);
    const refused = typeof target === "string" ? target : codeProblem(target, change, batch);
    if (typeof target === "string" || refused !== null) {
      return { content: null, verdict: { status: "error", errors: [refused ?? ""] } };
    }
    if (target.kind === "content") {
      return { content: { ...change, path: target.path }, verdict: null };
    }
    return { content: null, verdict: await this.#outside(target, change, { files, texts }) };
  }

  async #outside(
    target: Exclude<Target, { kind: "content" }>,
    change: PathChange,
    { files, texts }: { files: SiteFiles; texts: ConfigTexts },
  ): Promise<Verdict> {
    if (change.op === "frontmatter") {
      return { status: "error", errors: ["only pages have front matter"] };
    }
    if (target.kind === "config") {
      if (change.op === "delete") {
        return { status: "error", errors: ["a config file cannot be deleted; change its keys"] };
      }
      return texts.edit(target.file, () => change.content);
    }
    if (change.op === "delete") return deleteFile(files, target.path);
    const flex = this.#site.find("flex");
    return writeFile({ files, flex }, { ...target, content: change.content });
  }

  async #applyContent(steps: readonly Step[], batch: Batch): Promise<Map<number, Verdict>> {
    const places = steps.flatMap(({ content }, at) => (content === null ? [] : [at]));
    const changes = steps.flatMap(({ content }) => content ?? []);
    if (changes.length === 0) return new Map();
    const content: ContentService = this.#site.use("content");
    const { dryRun, actor } = batch;
    const results = await content.apply(changes, { dryRun, actor, message: "dev/apply" });
    return new Map(
      results.flatMap((result, index) => {
        const at = places[index];
        return at === undefined ? [] : [[at, contentVerdict(result)] as const];
      }),
    );
  }

  async #refreshFlex(steps: readonly Step[]): Promise<void> {
    const touched = steps.some(
      ({ name, verdict }) =>
        /^(flex-objects|data\/flex)\//.test(name.path ?? "") && verdict?.status !== "error",
    );
    if (touched) await this.#site.find("flex")?.refresh();
  }
}

function codeProblem(target: Target, { op, path }: PathChange, batch: Batch): string | null {
  const isCode = target.kind === "theme" || /\.(tsx|mdx)$/i.test(path);
  if (!isCode || op === "delete" || batch.mayWriteCode) return null;
  return `${JSON.stringify(path)} is code that the site runs: permission plugins.manage is needed`;
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
