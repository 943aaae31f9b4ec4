import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { t as app, texts } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import { call } from "../../api/request.js";
import { undoDeletions } from "../../api/trash.js";
import { isPicture, picture } from "../../api/media.js";
import type { LibraryItem } from "../../api/answers.js";
import de from "../../locales/de/media.json";
import en from "../../locales/en/media.json";
import type { Failed } from "../../parts/failures.js";
import { FormDialog } from "../../parts/forms.js";
import { toReason } from "../../parts/loading.js";
import { findFolder, FolderInput } from "./uploads.js";

const t = texts({ en, de });

interface MediaBulkProps {
  /** The selected files. */
  items: readonly LibraryItem[];
  /** Called after the change, with the files that failed. */
  onDone(failures: readonly Failed[]): void;
}

/** Changes a file; a deletion adds its key in the trash to `deletions`. */
type Change = (item: LibraryItem, deletions: (string | null)[]) => Promise<unknown>;

/** Actions on all selected files. */
export default function MediaBulk({ items, onDone }: MediaBulkProps): VNode {
  const [asks, setAsks] = useState<"describe" | "move" | "delete" | null>(null);
  const n = items.length;
  const close = (): void => setAsks(null);
  const mayUpload = items.some((item) => item.mayUpload);
  const run = async (chosen: readonly LibraryItem[], change: Change): Promise<void> => {
    const failures: Failed[] = [];
    const deletions: (string | null)[] = [];
    // One after the other: a move rewrites pages that the next one may rewrite too.
    for (const item of chosen) {
      try {
        await change(item, deletions);
      } catch (error) {
        failures.push({ key: item.path, label: item.path, reason: toReason(error) });
      }
    }
    const changed = chosen.length - failures.length;
    const undo = undoDeletions(deletions, () => onDone([]));
    if (changed > 0) done(t("bulk.done", { n: changed }), undo);
    onDone(failures);
  };
  return (
    <div class="bulk-bar row" role="group" aria-label={t("selected", { n })}>
      <strong>{t("selected", { n })}</strong>
      {mayUpload && (
        <>
          <button type="button" onClick={() => setAsks("describe")}>
            {t("bulk.describe")}
          </button>
          <button type="button" onClick={() => setAsks("move")}>
            {t("bulk.move")}
          </button>
        </>
      )}
      {items.some((item) => item.mayDelete) && (
        <button type="button" class="danger" onClick={() => setAsks("delete")}>
          {t("bulk.delete")}
        </button>
      )}
      {asks === "describe" && <Describe items={items} run={run} onClose={close} />}
      {asks === "move" && <Move items={items} run={run} onClose={close} />}
      {asks === "delete" && (
        <FormDialog
          title={t("bulk.delete.title", { n })}
          action={t("bulk.delete")}
          danger
          onClose={close}
          onSubmit={() =>
            run(items, async ({ path }, deletions) => {
              const { trashId } = await call("DELETE /media", { query: { path } });
              deletions.push(trashId);
            })
          }
        >
          <Users items={items} />
          <p>{t("bulk.delete.why")}</p>
        </FormDialog>
      )}
    </div>
  );
}

interface DialogProps {
  items: readonly LibraryItem[];
  run(chosen: readonly LibraryItem[], change: Change): Promise<void>;
  onClose(): void;
}

/** An alternative text for each picture, beside it. */
function Describe({ items, run, onClose }: DialogProps): VNode {
  const pictures = items.filter((item) => isPicture(item));
  return (
    <FormDialog
      title={t("bulk.describe.title")}
      action={app("save")}
      onClose={onClose}
      onSubmit={(form) => {
        const texts = new Map(
          pictures.map((item) => [item, String(form.get(item.path) ?? "").trim()]),
        );
        const changed = pictures.filter((item) => texts.get(item) !== altOf(item));
        return run(changed, (item) => {
          const alt = texts.get(item) ?? "";
          const meta = { alt: alt === "" ? null : alt };
          return call("PUT /media/meta", { body: { path: item.path, meta } });
        });
      }}
    >
      <p>{t("alt.why")}</p>
      {pictures.length === 0 && <p class="dim">{t("bulk.describe.none")}</p>}
      {pictures.map((item) => (
        <label key={item.path} class="described">
          <img {...picture(item, "6rem")} alt="" loading="lazy" />
          <span class="break">{item.name}</span>
          <input
            name={item.path}
            aria-label={t("bulk.alt", { name: item.name })}
            maxLength={2_000}
            autocomplete="off"
            readOnly={!item.mayUpload}
            defaultValue={altOf(item)}
          />
        </label>
      ))}
    </FormDialog>
  );
}

function altOf({ meta }: LibraryItem): string {
  return String(meta["alt"] ?? "");
}

/** Moves the files to another page. */
function Move({ items, run, onClose }: DialogProps): VNode {
  const [words, setWords] = useState("");
  return (
    <FormDialog
      title={t("bulk.move.title", { n: items.length })}
      action={t("bulk.move.action")}
      onClose={onClose}
      onSubmit={async () => {
        const folder = await findFolder(words);
        if (folder === "") throw new Error(t("bulk.move.choose"));
        await run(items, ({ path }) => call("POST /media/move", { body: { path, folder } }));
      }}
    >
      <p>{t("bulk.move.why")}</p>
      <FolderInput value={words} problem={null} onChange={setWords} />
      <Users items={items} />
    </FormDialog>
  );
}

interface UsersProps {
  items: readonly LibraryItem[];
}

/** The pages and records that name the files. */
function Users({ items }: UsersProps): VNode {
  const used = items.filter((item) => item.usedBy.length + item.usedByRecords.length > 0);
  if (used.length === 0) return <p>{t("bulk.unused")}</p>;
  return (
    <div class="notice warn">
      <p>{t("bulk.used")}</p>
      <ul>
        {used.map(({ path, name, usedBy, usedByRecords }) => (
          <li key={path} class="break">
            <strong>{name}</strong>:{" "}
            {[
              ...usedBy.map(({ title }) => title),
              ...usedByRecords.map(({ type, id }) => `${type}/${id}`),
            ].join(", ")}
          </li>
        ))}
      </ul>
    </div>
  );
}
