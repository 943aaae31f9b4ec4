import { batch, signal, type Signal } from "@preact/signals";
import { EditedText, type SetKey } from "../front-matter/edited-text.js";
import { dropLocalCopy, writeLocalCopy, type LocalCopy, type Version } from "./local-copy.js";
import { editPath, moveAddress } from "../../../app/router.js";
import { ApiError, OfflineError, call, type Answer } from "../../../api/request.js";
import type { SaveConflict as Conflict } from "../../../../../admin/browser-contract.js";
import type { WorkingCopy, PageSource } from "../../../api/answers.js";

/** States of saving the text. */
export type SaveState = "clean" | "changed" | "saving" | "offline" | "failed" | "conflict";

/** An editing session begins with these. */
export interface Opened {
  readonly page: PageSource;
  readonly draft: WorkingCopy | null;
  readonly local: LocalCopy | null;
  /** Changes keys of front matter, see `set-key.ts`. */
  readonly set: SetKey;
}

const SAVE_MS = 1_200;
const LOCAL_MS = 300;
const RETRY_MS = 5_000;

/** One page that is being edited: its text, its working copy, and how far they are saved. */
export class EditSession {
  readonly #path: Signal<string>;
  readonly live: Signal<PageSource>;
  readonly state = signal<SaveState>("clean");
  readonly problem = signal<unknown>(null);
  readonly conflict = signal<Conflict | null>(null);
  readonly hasWorkingCopy = signal(false);
  readonly savedAt = signal(0);
  /** True after a text was found that an earlier visit could not save. */
  readonly isRecovered = signal(false);
  readonly mergedAt = signal(0);
  /** True after the page has moved while it was open. */
  readonly hasMoved = signal(false);
  readonly review = signal<WorkingCopy["review"]>(null);
  /** When the changes are scheduled. */
  readonly plan = signal<WorkingCopy["plan"]>(null);
  readonly text: EditedText;
  /** The action of this window on the live page; its own changes are known when it ends. */
  acting: Promise<unknown> = Promise.resolve();
  #stored: Version;
  #saveTimer = 0;
  #localTimer = 0;
  #running: Promise<void> | null = null;

  constructor({ page, draft, local, set }: Opened) {
    this.#path = signal(page.sourcePath);
    this.live = signal(page);
    const live = { text: page.raw, etag: page.hash, isDraft: false };
    const stored = draft === null ? live : { text: draft.content, etag: draft.etag, isDraft: true };
    this.#stored = local === null ? stored : local.base;
    this.text = new EditedText(local?.text ?? stored.text, set);
    this.hasWorkingCopy.value = draft !== null;
    this.review.value = draft?.review ?? null;
    this.plan.value = draft?.plan ?? null;
    this.savedAt.value = draft?.updatedAt ?? 0;
    if (local === null) return;
    this.isRecovered.value = true;
    this.changed();
  }

  /** The source path of the page, also after it has moved. */
  get path(): string {
    return this.#path.value;
  }

  /** The version that the text was made from. */
  get stored(): Version {
    return this.#stored;
  }

  /** The text was edited: it is kept in the browser at once and saved when typing pauses. */
  changed(): void {
    batch(() => {
      this.text.revision.value += 1;
      if (this.state.value !== "conflict") this.state.value = "changed";
    });
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => void this.flush(), SAVE_MS);
    clearTimeout(this.#localTimer);
    this.#localTimer = window.setTimeout(() => void this.#storeLocally(), LOCAL_MS);
  }

  /** Sets a key of the front matter; undefined removes it. */
  set(key: string, value: unknown): void {
    if (this.text.set(key, value)) this.changed();
  }

  /** Takes the last change of a field back, or makes it again. */
  step(direction: "undo" | "redo"): void {
    if (this.text.step(direction)) this.changed();
  }

  /** Replaces the front matter as text. */
  setYaml(yaml: string): void {
    this.text.setYaml(yaml);
    this.changed();
  }

  /** Shows another text: a version of the history, or the result of a conflict. */
  replace(text: string): void {
    this.text.replace(text);
    this.changed();
  }

  /** Saves now what is not saved. @throws nothing: `state` and `problem` say what happened. */
  async flush(): Promise<void> {
    clearTimeout(this.#saveTimer);
    if (this.#running !== null) await this.#running;
    if (this.state.value === "clean" || this.state.value === "conflict") return;
    this.#running = this.#save().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  /** Shows the live page: nothing is unpublished any more. */
  adopt(live: PageSource): void {
    batch(() => {
      this.live.value = live;
      this.#stored = { text: live.raw, etag: live.hash, isDraft: false };
      this.hasWorkingCopy.value = false;
      this.review.value = null;
      this.plan.value = null;
      this.conflict.value = null;
      if (this.text.text !== live.raw) this.text.replace(live.raw);
      this.#settle();
    });
  }

  /** The page has moved: the session goes on at its new path, with its text and what is not saved. */
  moveTo(path: string): void {
    const before = this.#path.peek();
    if (path === before) return;
    batch(() => {
      this.#path.value = path;
      this.live.value = { ...this.live.peek(), sourcePath: path };
      this.hasMoved.value = true;
    });
    moveAddress(editPath(path));
    void this.#storeLocally().then(() => dropLocalCopy(before));
  }

  /** Runs an action that changes the live page, after the one before it. */
  act<T>(action: () => Promise<T>): Promise<T> {
    const result = this.acting.then(action);
    this.acting = result.catch(() => undefined);
    return result;
  }

  /** Continues from another version with this text, which is saved at once. */
  async continueFrom(version: Version, text: string): Promise<void> {
    this.#stored = version;
    this.conflict.value = null;
    this.state.value = "changed";
    this.replace(text);
    await this.flush();
  }

  /** Shows both texts of a 409; false for any other failure. */
  showConflict(error: unknown): boolean {
    if (!(error instanceof ApiError) || error.status !== 409) return false;
    const conflict = readConflict(error, this.text.text);
    if (conflict === null) return false;
    this.conflict.value = conflict;
    this.state.value = "conflict";
    void this.#storeLocally();
    return true;
  }

  /** Ends the session: what is not saved stays in the browser. */
  close(): void {
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#localTimer);
    if (this.state.value === "changed") void this.flush();
  }

  #storeLocally(): Promise<void> {
    const { text } = this.text;
    if (text === this.#stored.text) return Promise.resolve();
    const liveEtag = this.live.value.hash;
    return writeLocalCopy(this.path, { text, base: this.#stored, liveEtag, at: Date.now() });
  }

  async #save(): Promise<void> {
    const { text } = this.text;
    if (text === this.#stored.text) {
      await dropLocalCopy(this.path);
      this.#settle();
      return;
    }
    this.state.value = "saving";
    this.text.mark();
    const { etag, isDraft, text: base } = this.#stored;
    const edit = { content: text, base, baseEtag: this.live.value.hash };
    try {
      this.#take(
        await call("PUT /drafts/*path", {
          params: { path: this.path },
          body: edit,
          ifMatch: isDraft ? etag : undefined,
        }),
        text,
      );
      if (this.text.text === this.#stored.text) await dropLocalCopy(this.path);
    } catch (error) {
      this.#failed(error);
    }
  }

  #take(draft: Answer<"PUT /drafts/*path">, sent: string): void {
    batch(() => {
      if (draft.merged && draft.content !== sent) {
        this.text.merge(sent, draft.content);
        this.mergedAt.value = Date.now();
      }
      this.#stored = { text: draft.content, etag: draft.etag, isDraft: true };
      this.hasWorkingCopy.value = true;
      this.review.value = draft.review;
      this.plan.value = draft.plan;
      this.savedAt.value = draft.updatedAt;
      if (this.text.text === draft.content) this.#settle();
      else this.changed();
    });
  }

  #settle(): void {
    this.problem.value = null;
    this.state.value = "clean";
  }

  #failed(error: unknown): void {
    const movedTo = error instanceof ApiError ? error.movedTo : null;
    if (movedTo !== null) {
      this.moveTo(movedTo);
      this.changed();
      return;
    }
    if (this.showConflict(error)) return;
    this.problem.value = error;
    const isOffline =
      error instanceof OfflineError || (error instanceof ApiError && error.status >= 500);
    this.state.value = isOffline ? "offline" : "failed";
    void this.#storeLocally();
    if (isOffline) this.#saveTimer = window.setTimeout(() => void this.flush(), RETRY_MS);
  }
}

/** Both texts of a 409; null when the response holds none. */
function readConflict({ body, message }: ApiError, yours: string): Conflict | null {
  const text = (name: string): string | null => {
    const value = body[name];
    return typeof value === "string" ? value : null;
  };
  const theirs = text("theirs") ?? text("live");
  if (theirs === null && text("base") === null) return null;
  return {
    error: message,
    etag: text("etag"),
    liveEtag: text("liveEtag"),
    base: text("base"),
    theirs,
    yours,
    proposal: text("proposal"),
  };
}
