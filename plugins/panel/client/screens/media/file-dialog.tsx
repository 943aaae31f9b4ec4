import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { editPath, recordPath, href } from "../../app/router.js";
import { t as app, texts } from "../../app/texts.js";
import { done, warnedOfFile } from "../../app/toasts.js";
import { siteHref } from "../../boot.js";
import de from "../../locales/de/media.json";
import en from "../../locales/en/media.json";
import { Dialog } from "../../parts/dialog.js";
import { Failure, Loading, useLoaded } from "../../parts/loading.js";
import { FormDialog, SavingForm } from "../../parts/forms.js";
import { fullMoment } from "../../parts/moment.js";
import { CENTRE, readFocal, type Pair } from "./crop.js";
import { fileSize, findInLibrary, isPicture, picture } from "../../api/media.js";
import { FocalPoint } from "./focal-point.js";
import { sendFile } from "./uploads.js";
import { call } from "../../api/request.js";
import { undoDeletions } from "../../api/trash.js";
import type { LibraryItem } from "../../api/answers.js";
import { FilePicker } from "../../parts/file-picker.js";

const t = texts({ en, de });

/** One file. */
interface FileDialogProps {
  path: string;
  /** The file as the list knows it. */
  known: LibraryItem | undefined;
  onChanged(): void;
  onClose(): void;
}

/** A file with its description, focal point and users. */
export function FileDialog({ path, known, onChanged, onClose }: FileDialogProps): VNode {
  const loaded = useLoaded(path, async () => known ?? (await findInLibrary(path)));
  const changed = (): void => {
    loaded.reload();
    onChanged();
  };
  const item = known ?? loaded.data;
  return (
    <Dialog title={path.split("/").at(-1) ?? path} onClose={onClose} wide>
      {item === undefined && <Loading of={loaded}>{() => null}</Loading>}
      {item === null && <p class="notice bad">{t("missing")}</p>}
      {item && (
        <div class="file-details">
          <div class="stack">
            <Facts item={item} />
            <Usage item={item} />
            <FileActions item={item} onChanged={changed} onDeleted={onClose} />
          </div>
          <Description key={item.mtimeMs} item={item} onChanged={changed} />
        </div>
      )}
    </Dialog>
  );
}

interface ItemProps {
  item: LibraryItem;
}

function Facts({ item }: ItemProps): VNode {
  return (
    <p class="break">
      <a href={siteHref(item.url)} target="_blank" rel="noreferrer">
        {item.path}
      </a>
      <small class="dim block">
        {item.type} · {fileSize(item.size)} · {fullMoment(item.mtimeMs)}
      </small>
    </p>
  );
}

function Usage({ item: { usedBy, usedByRecords } }: ItemProps): VNode {
  return (
    <section class="stack-small" aria-label={t("usedBy")}>
      <h3>{t("usedBy")}</h3>
      {usedBy.length + usedByRecords.length === 0 && <p class="dim">{t("unused")}</p>}
      <ul class="plain-list">
        {usedBy.map(({ sourcePath, title }) => (
          <li key={sourcePath} class="break">
            <a href={href(editPath(sourcePath))} data-screen>
              {title}
            </a>{" "}
            <small class="dim">{sourcePath}</small>
          </li>
        ))}
        {usedByRecords.map(({ type, id }) => (
          <li key={`${type}/${id}`} class="break">
            <a href={href(recordPath(type, id))} data-screen>
              {id}
            </a>{" "}
            <small class="dim">{type}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

const TEXTS = ["alt", "title", "credit"] as const;

interface DescriptionProps {
  item: LibraryItem;
  onChanged(): void;
}

function Description({ item, onChanged }: DescriptionProps): VNode {
  const former = readFocal(item.meta);
  const [focal, setFocal] = useState<Pair>(former);
  const hasFocal = isPicture(item) && item.srcset !== "";
  const save = async (form: FormData): Promise<void> => {
    const texts = TEXTS.map((name) => [name, toText(form, name)] as const);
    const change = {
      ...Object.fromEntries(texts.filter(([name, text]) => (text ?? "") !== shown(item, name))),
      ...(isOther(focal, former) && { focal_point: toPoint(focal) }),
    };
    if (Object.keys(change).length > 0)
      await call("PUT /media/meta", { body: { path: item.path, meta: change } });
    done(t("described"));
    onChanged();
  };
  return (
    <SavingForm onSubmit={save}>
      {hasFocal ? (
        <FocalPoint item={item} focal={focal} isEditable={item.mayUpload} onChange={setFocal} />
      ) : (
        isPicture(item) && (
          <div class="focal">
            <img {...picture(item, "34rem")} alt={t("preview", { name: item.name })} />
          </div>
        )
      )}
      <Texts item={item} />
      {item.mayUpload && (
        <div class="actions">
          <button type="submit" class="primary">
            {app("save")}
          </button>
        </div>
      )}
    </SavingForm>
  );
}

function Texts({ item }: ItemProps): VNode {
  return (
    <>
      {TEXTS.map((name) => (
        <label key={name}>
          {t(name)}
          <input
            name={name}
            maxLength={2_000}
            autocomplete="off"
            autoFocus={name === "alt" && item.mayUpload}
            readOnly={!item.mayUpload}
            defaultValue={shown(item, name)}
          />
          {name === "alt" && <span class="help">{t("alt.why")}</span>}
        </label>
      ))}
    </>
  );
}

function shown({ meta }: LibraryItem, name: string): string {
  return String(meta[name] ?? "");
}

function toText(form: FormData, name: string): string | null {
  const value = String(form.get(name) ?? "").trim();
  return value === "" ? null : value;
}

/** The centre is what holds without a point. */
function toPoint(focal: Pair): readonly number[] | null {
  return isOther(focal, CENTRE) ? [focal.x, focal.y] : null;
}

function isOther(one: Pair, other: Pair): boolean {
  return one.x !== other.x || one.y !== other.y;
}

interface FileActionsProps {
  item: LibraryItem;
  onChanged(): void;
  onDeleted(): void;
}

/** Replacing and deleting a file. */
function FileActions({ item, onChanged, onDeleted }: FileActionsProps): VNode {
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

function Replace({ item, onChanged }: DescriptionProps): VNode {
  const [part, setPart] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const replace = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setPart(0);
    try {
      const { folder, name } = item;
      const upload = { file, folder, name, overwrite: true, onProgress: setPart };
      const { warnings } = await sendFile(upload);
      warnedOfFile(name, warnings);
      setError(null);
      done(t("replaced"));
      onChanged();
    } catch (failure) {
      setError(failure);
    }
    setPart(null);
  };
  return (
    <div class="stack-small">
      {error !== null && <Failure error={error} />}
      <FilePicker
        label={t("replace")}
        help={t("replace.why")}
        onFiles={([file]) => void replace(file)}
      />
      {part !== null && <progress value={part} max={1} aria-label={t("replace")} />}
    </div>
  );
}

interface DeleteProps {
  item: LibraryItem;
  onClose(): void;
  onDeleted(): void;
  onRestored(): void;
}

function Delete({ item, onClose, onDeleted, onRestored }: DeleteProps): VNode {
  const submit = async (): Promise<void> => {
    const id = await call("DELETE /media", { query: { path: item.path } }).then(
      ({ trashId }) => trashId,
    );
    done(t("deleted", { name: item.name }), undoDeletions([id], onRestored));
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
