/** Opens moments of the content; the trees of commits are cached. */
import { HttpError, type CacheSpace, type SiteContext } from "#kernel";
import { parseMoment } from "#lib/dates";
import { WorkQueue } from "#lib/concurrency";
import type { MomentOptions, ContentService, Moment, Viewer } from "../contract.js";
import { type ContentRules, rulesStamp } from "../index/store-options.js";
import type { ContentIndex } from "../index/content-index.js";
import type { ViewDeps } from "../view/view.js";
import { ContentCommits, type Commit, momentError } from "./content-commits.js";
import { PastTree, type PastTreeInput, readCommit } from "./past-tree.js";

/** Bytes of all trees of commits, and how many. */
const MAX_BYTES = 96 * 1_048_576;
const MAX_TREES = 8;
/** Unused trees are dropped after this time, in ms. */
const IDLE_MS = 15 * 60_000;
/** Maximum time for which a commit that a branch has lost is still shown, in ms. */
const FOUND_MS = 10_000;
const BUILDS = { concurrency: 1, length: 8, maxWaitMs: 20_000 } as const;

/** Dependencies of the moments. */
export interface MomentsOptions extends Pick<PastTreeInput, "loader" | "routeRules"> {
  readonly present: PresentContent;
  rules(): ContentRules;
}

/** The moments of a site. */
export class Moments {
  readonly #site: SiteContext;
  readonly #options: MomentsOptions;
  readonly #commits: ContentCommits;
  readonly #builds = new WorkQueue({ ...BUILDS, busy });
  readonly #found: CacheSpace<Commit>;
  readonly #trees: CacheSpace<PastTree>;

  constructor(site: SiteContext, options: MomentsOptions) {
    this.#site = site;
    this.#options = options;
    this.#commits = new ContentCommits(site);
    this.#found = site.cache.open<Commit>("content-commits", {
      maxBytes: 100_000,
      untagged: true,
      sizeOf: () => 200,
    });
    this.#trees = site.cache.open<PastTree>("content-at-commits", {
      maxBytes: MAX_BYTES,
      maxEntries: MAX_TREES,
      idleMs: IDLE_MS,
      untagged: true,
      sizeOf: (tree) => tree.bytes,
    });
  }

  /** @throws HttpError; see `ContentService.moment`. */
  async open({ at, rev, opens, query }: MomentOptions): Promise<TreeMoment> {
    const time = at === null ? null : this.#timeOf(at);
    const { present } = this.#options;
    const { clock } = this.#site.runtime;
    if (rev === null) {
      return new TreeMoment({ at: time ?? clock.now(), opens, query, tree: null, present });
    }
    const commit = await this.#found.get(rev, (entry) => {
      entry.until = clock.now() + FOUND_MS;
      return this.#commits.find(rev);
    });
    const tree = await this.#treeOf(commit);
    return new TreeMoment({ at: time ?? commit.at, opens, query, tree, present });
  }

  #timeOf(written: string): number {
    // A plus sign in a query string is a space.
    const text = written.replace(/ (?=\d{2}:?\d{2}$)/, "+");
    const { timezone } = this.#site.settings.system;
    const time = parseMoment(written, timezone) ?? parseMoment(text, timezone);
    if (time !== null) return time;
    const message = `at: ${JSON.stringify(written.slice(0, 100))} is not a date and time`;
    throw momentError(400, message, "write 2027-06-01T09:00Z");
  }

  #treeOf(commit: Commit): Promise<PastTree> {
    const rules = this.#options.rules();
    const { loader, routeRules } = this.#options;
    const commits = this.#commits;
    return this.#trees.get(`${commit.id} ${rulesStamp(rules)}`, () =>
      this.#builds.run(async () => {
        const files = await commits.files(commit);
        const index = await readCommit(commit, files, commits, rules);
        return new PastTree({ commit, index, files, rules, routeRules, commits, loader });
      }),
    );
  }
}

function busy(): HttpError {
  return new HttpError(503, "too many commits are being read, try again", {
    headers: { "Retry-After": "5" },
  });
}

/** Reads the present files. */
type PresentContent = Pick<ContentService, "generation" | "addressIn" | "source" | "media">;
/** Dependencies of a moment. */
interface MomentInput extends Pick<MomentOptions, "opens" | "query"> {
  /** Unix ms. */
  at: number;
  /** Null: the present files. */
  tree: PastTree | null;
  present: PresentContent;
}

/** The content at another moment: the present files with another clock, or the files of a commit. */
class TreeMoment implements Moment {
  readonly at: number;
  readonly commit: string | null;
  readonly opens: string | null;
  readonly query: string;
  readonly generation: Moment["generation"];
  readonly addressIn: Moment["addressIn"];
  readonly source: Moment["source"];
  readonly media: Moment["media"];
  readonly #tree: PastTree | null;

  constructor({ at, opens, query, tree, present }: MomentInput) {
    this.at = at;
    this.opens = opens;
    this.query = query;
    this.commit = tree?.commit ?? null;
    this.#tree = tree;
    const content: PresentContent = tree ?? present;
    this.generation = () => content.generation();
    this.addressIn = (...page) => content.addressIn(...page);
    this.source = (path) => content.source(path);
    this.media = (folder) => content.media(folder);
  }

  async file(folder: string, name: string): ReturnType<Moment["file"]> {
    return this.#tree === null ? null : this.#tree.file(folder, name);
  }

  /** The dependencies of views, from those of the present tree. */
  deps(present: ViewDeps): ViewDeps {
    const tree = this.#tree;
    if (tree === null) return { ...present, now: this.at };
    const index: ContentIndex = tree.index;
    return { ...present, index, now: this.at, load: (entry, view) => tree.load(entry, view, this) };
  }
}

/** The dependencies of a viewer's views: those of the viewer's moment, else the present ones. */
export function selectMoment({ moment }: Viewer, present: ViewDeps): ViewDeps {
  return moment instanceof TreeMoment ? moment.deps(present) : present;
}
