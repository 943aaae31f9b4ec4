import { siteHref } from "../../boot.js";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { describeFile, findInLibrary, type LibraryItem } from "../../api/media/media-library.js";
import { t as app } from "../../app/app-texts.js";
import { href } from "../../app/router.js";
import { done } from "../../app/toasts.js";
import { Dialog } from "../../parts/dialog.js";
import { SavingForm } from "../../parts/saving-form.js";
import { Loading } from "../../parts/loading.js";
import { fullMoment } from "../../parts/moment.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { editPath } from "../pages/edit-path.js";
import { recordPath } from "../records/record-paths.js";
import { CENTRE, focalOf, type Pair } from "./crop.js";
import { FileActions } from "./file-actions.js";
import { fileSize } from "./file-size.js";
import { FocalPoint } from "./focal-point.js";
import { t } from "./media-texts.js";
import { isPicture, picture } from "./picture.js";

/** One file. */
export interface FileDialogProps {
  path: string;
  /** The file as the list knows it. */
  known: LibraryItem | undefined;
  onChanged(): void;
  onClose(): void;
}

/** A file with its description, focal point and users. */
export function FileDialog({ path, known, onChanged, onClose }: FileDialogProps): VNode {
  const found = useLoaded(path, async () => known ?? (await findInLibrary(path)));
  const changed = (): void => {
    found.reload();
    onChanged();
  };
  const item = known ?? found.data;
  return (
    <Dialog title={path.split("/").at(-1) ?? path} onClose={onClose} wide>
      {item === undefined && <Loading of={found}>{() => null}</Loading>}
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

function Facts({ item }: { item: LibraryItem }): VNode {
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

function Usage({ item: { usedBy, usedByRecords } }: { item: LibraryItem }): VNode {
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

function Description({ item, onChanged }: { item: LibraryItem; onChanged(): void }): VNode {
  const former = focalOf(item.meta);
  const [focal, setFocal] = useState<Pair>(former);
  const hasFocal = isPicture(item) && item.srcset !== "";
  const save = async (form: FormData): Promise<void> => {
    const texts = TEXTS.map((name) => [name, textOf(form, name)] as const);
    const change = {
      ...Object.fromEntries(texts.filter(([name, text]) => (text ?? "") !== shown(item, name))),
      ...(isOther(focal, former) && { focal_point: pointOf(focal) }),
    };
    if (Object.keys(change).length > 0) await describeFile(item.path, change);
    done(t("described"));
    onChanged();
  };
  return (
    <SavingForm onSubmit={save}>
      {hasFocal ? (
        <FocalPoint {...{ item, focal }} isEditable={item.mayUpload} onChange={setFocal} />
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

function Texts({ item }: { item: LibraryItem }): VNode {
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

function textOf(form: FormData, name: string): string | null {
  const value = String(form.get(name) ?? "").trim();
  return value === "" ? null : value;
}

/** The centre is what holds without a point. */
function pointOf(focal: Pair): readonly number[] | null {
  return isOther(focal, CENTRE) ? [focal.x, focal.y] : null;
}

function isOther(one: Pair, other: Pair): boolean {
  return one.x !== other.x || one.y !== other.y;
}
