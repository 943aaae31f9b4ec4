/** The content at another moment: the present files with another clock, or the files of a commit. */
import type { ContentIndex } from "../index/content-index.js";
import type { ContentService, Moment, MomentOptions, Viewer } from "../contract.js";
import type { ViewDeps } from "../view/view-deps.js";
import type { PastTree } from "./past-tree.js";

/** What reads the present files. */
export type PresentContent = Pick<ContentService, "generation" | "addressIn" | "source" | "media">;
/** Dependencies of a moment. */
export interface MomentParts extends Pick<MomentOptions, "opens" | "query"> {
  /** Unix ms. */
  at: number;
  /** Null: the present files. */
  tree: PastTree | null;
  present: PresentContent;
}

/** A moment of the content. */
export class TreeMoment implements Moment {
  readonly at: number;
  readonly commit: string | null;
  readonly opens: string | null;
  readonly query: string;
  readonly generation: Moment["generation"];
  readonly addressIn: Moment["addressIn"];
  readonly source: Moment["source"];
  readonly media: Moment["media"];
  readonly #tree: PastTree | null;

  constructor({ at, opens, query, tree, present }: MomentParts) {
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

  async file(...[folder, name]: Parameters<Moment["file"]>): ReturnType<Moment["file"]> {
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
export function depsAt({ moment }: Viewer, present: ViewDeps): ViewDeps {
  return moment instanceof TreeMoment ? moment.deps(present) : present;
}
