import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { deleteFile, uploadFile, type LibraryItem } from "../../api/media/media-library.js";
import { restoreTrash } from "../../api/content/trash.js";
import { t as app } from "../../app/app-texts.js";
import { attempt, done, warnedOfFile } from "../../app/toasts.js";
import { Failure } from "../../parts/failure.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { t } from "./media-texts.js";

/** Replacing and deleting a file. */
export function FileActions(props: {
  item: LibraryItem;
  onChanged(): void;
  onDeleted(): void;
}): VNode {
  const { item, onChanged, onDeleted } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {item.mayUpload && <Replace item={item} onChanged={onChanged} />}
      {item.mayDelete && (
        <div class="row">
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            {app("delete")}
          </button>
        </div>
      )}
      {isAsking && (
        <Delete
          item={item}
          onClose={() => setAsking(false)}
          onDeleted={() => {
            onDeleted();
            onChanged();
          }}
          onRestored={onChanged}
        />
      )}
    </>
  );
}

function Replace({ item, onChanged }: { item: LibraryItem; onChanged(): void }): VNode {
  const input = useRef<HTMLInputElement>(null);
  const [part, setPart] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const replace = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setPart(0);
    try {
      const { folder, name } = item;
      const upload = { file, folder, name, overwrite: true, onProgress: setPart };
      const { warnings } = await uploadFile(upload);
      warnedOfFile(name, warnings);
      setError(null);
      done(t("replaced"));
      onChanged();
    } catch (failure) {
      setError(failure);
    }
    setPart(null);
    if (input.current !== null) input.current.value = "";
  };
  return (
    <div class="stack-small">
      {error !== null && <Failure error={error} />}
      <label>
        {t("replace")}
        <input
          ref={input}
          type="file"
          onChange={({ currentTarget }) => void replace(currentTarget.files?.[0])}
        />
        <span class="help">{t("replace.why")}</span>
      </label>
      {part !== null && <progress value={part} max={1} aria-label={t("replace")} />}
    </div>
  );
}

function Delete(props: {
  item: LibraryItem;
  onClose(): void;
  onDeleted(): void;
  onRestored(): void;
}): VNode {
  const { item, onClose, onDeleted, onRestored } = props;
  const submit = async (): Promise<void> => {
    const id = await deleteFile(item.path);
    const undo = async (): Promise<void> => {
      if (id !== null && (await attempt(() => restoreTrash(id)))) onRestored();
    };
    done(t("deleted", { name: item.name }), id === null ? undefined : () => void undo());
    onDeleted();
  };
  return (
    <FormDialog
      title={t("delete.title", { name: item.name })}
      action={app("delete")}
      danger
      onClose={onClose}
      onSubmit={submit}
    >
      {item.usedBy.length + item.usedByRecords.length === 0 ? (
        <p>{t("delete.unused")}</p>
      ) : (
        <div class="notice warn">
          <p>{t("delete.used")}</p>
          <ul>
            {item.usedBy.map(({ sourcePath, title }) => (
              <li key={sourcePath}>
                {title} <small>{sourcePath}</small>
              </li>
            ))}
            {item.usedByRecords.map(({ type, id }) => (
              <li key={`${type}/${id}`}>
                {id} <small>{type}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}
