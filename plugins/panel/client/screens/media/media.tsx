import { File as FileIcon, Upload as UploadIcon } from "lucide";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { setQuery, type ScreenProps } from "../../app/router.js";
import { t as app, texts } from "../../app/texts.js";
import de from "../../locales/de/media.json";
import en from "../../locales/en/media.json";
import { Icon } from "../../parts/icon.js";
import type { Failed } from "../../parts/failures.js";
import {
  FilterSelect,
  Paged,
  SearchInput,
  SelectableTable,
  ViewChoice,
} from "../../parts/table.js";
import { lazy, useLoaded } from "../../parts/loading.js";
import { FileDialog } from "./file-dialog.js";
import { fileSize, isPicture, listLibrary, picture } from "../../api/media.js";
import { UploadDialog, useUploads, type Uploads } from "./uploads.js";
import type { Query } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { Library, LibraryItem } from "../../api/answers.js";

type LibraryQuery = Query<"GET /media">;

const t = texts({ en, de });

const MediaBulk = lazy(() => import("./media-bulk.js"));
const Failures = lazy(async () => ({
  default: (await import("../../parts/failures.js")).Failures,
}));
const LIMIT = 48;
const TYPES = ["image", "video", "audio", "application/pdf"] as const;

/** All files of the site. */
export default function Media({ query }: ScreenProps): VNode {
  const offset = Number(query.get("offset") ?? 0);
  const filter = readFilter(query, offset);
  const library = useLoaded(JSON.stringify(filter), () => listLibrary(filter));
  const opened = query.get("file");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<readonly Failed[]>([]);
  useEffect(() => setSelected(new Set()), [JSON.stringify(filter)]);
  const isList = query.get("view") === "list";
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.media")}</h1>
        <div class="row">
          <ViewChoice
            label={t("view")}
            view={isList ? "list" : ""}
            views={[
              { name: "", label: t("grid") },
              { name: "list", label: t("list") },
            ]}
          />
          {may("media.upload") && <Uploading query={query} onStored={library.reload} />}
        </div>
      </header>
      <Filters query={query} library={library.data} />
      {selected.size > 0 && (
        <MediaBulk
          items={(library.data?.items ?? []).filter(({ path }) => selected.has(path))}
          onDone={(wrong) => {
            setFailures(wrong);
            setSelected(new Set(wrong.map((one) => one.key)));
            library.reload();
          }}
        />
      )}
      {failures.length > 0 && (
        <Failures
          title={t("failures.title", { n: failures.length })}
          of={failures}
          onClose={() => setFailures([])}
        />
      )}
      <Paged
        of={library}
        offset={offset}
        limit={LIMIT}
        count={(n) => (n === 0 ? t("none") : t("count", { n }))}
      >
        {({ items }) => {
          const shown = { items, selected, onSelect: setSelected };
          return isList ? <MediaTable {...shown} /> : <MediaGrid {...shown} />;
        }}
      </Paged>
      {opened !== null && (
        <FileDialog
          key={opened}
          path={opened}
          known={library.data?.items.find(({ path }) => path === opened)}
          onChanged={library.reload}
          onClose={() => setQuery({ file: "" })}
        />
      )}
    </div>
  );
}

function readFilter(query: URLSearchParams, offset: number): LibraryQuery {
  const [q, folder, type] = ["q", "folder", "type"].map((name) => query.get(name) ?? "");
  return {
    q: q ?? "",
    folder: folder ?? "",
    type: type ?? "",
    page: Math.floor(offset / LIMIT) + 1,
    limit: LIMIT,
  };
}

interface UploadingProps {
  query: URLSearchParams;
  onStored(): void;
}

/** The button, the dialog, and files that are dropped or pasted anywhere. */
function Uploading({ query, onStored }: UploadingProps): VNode {
  const uploads = useUploads(onStored);
  const [pending, setPending] = useState<readonly File[]>([]);
  const folder = query.get("folder") ?? "";
  const isOpen = query.get("upload") !== null;
  const isOver = useDroppedFiles(true, (files) => {
    if (folder === "" || isOpen) setPending([...pending, ...files]);
    else uploads.add(files, folder);
    setQuery({ upload: "1" });
  });
  const close = (): void => {
    setPending([]);
    uploads.clear();
    setQuery({ upload: "" });
  };
  return (
    <div class={isOver ? "drop-target" : undefined}>
      <UploadButton uploads={uploads} />
      {isOpen && (
        <UploadDialog
          uploads={uploads}
          pending={pending}
          folder={folder}
          onPendingSent={() => setPending([])}
          onClose={close}
        />
      )}
    </div>
  );
}

interface UploadButtonProps {
  uploads: Uploads;
}

function UploadButton({ uploads }: UploadButtonProps): VNode {
  return (
    <button type="button" class="primary" onClick={() => setQuery({ upload: "1" })}>
      <Icon of={UploadIcon} />
      {t(uploads.isBusy ? "upload.busy" : "upload")}
    </button>
  );
}

interface FiltersProps {
  query: URLSearchParams;
  library: Library | undefined;
}

function Filters({ query, library }: FiltersProps): VNode {
  const folder = query.get("folder") ?? "";
  const libraryFolders = library?.folders ?? [];
  const folders =
    libraryFolders.includes(folder) || folder === "" ? libraryFolders : [folder, ...libraryFolders];
  return (
    <div class="row" role="search">
      <SearchInput label={t("search")} value={query.get("q") ?? ""} />
      <FilterSelect
        name="folder"
        label={t("folder")}
        value={folder}
        any={t("anyFolder")}
        options={folders.map((value) => ({ value, label: value }))}
      />
      <FilterSelect
        name="type"
        label={t("type")}
        value={query.get("type") ?? ""}
        any={t("anyType")}
        options={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
      />
    </div>
  );
}

interface ItemsProps {
  items: readonly LibraryItem[];
  /** Paths. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

/** Files as pictures. */
function MediaGrid({ items, selected, onSelect }: ItemsProps): VNode {
  const toggle = (path: string): void => {
    const next = new Set(selected);
    if (!next.delete(path)) next.add(path);
    onSelect(next);
  };
  return (
    <ul class="media-grid">
      {items.map((item) => (
        <li key={item.path}>
          <input
            type="checkbox"
            aria-label={t("select", { name: item.path })}
            checked={selected.has(item.path)}
            onChange={() => toggle(item.path)}
          />
          <button type="button" title={item.path} onClick={() => setQuery({ file: item.path })}>
            <Thumbnail item={item} />
            <span class="break">{item.name}</span>
            <small class="dim break">{item.folder}</small>
            {isUndescribed(item) && <span class="badge warn">{t("noAlt")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Files as a table, with where they are used. */
function MediaTable({ items, selected, onSelect }: ItemsProps): VNode | null {
  if (items.length === 0) return null;
  return (
    <SelectableTable
      label={t("list")}
      rows={items}
      keyOf={({ path }) => path}
      selected={selected}
      onSelect={onSelect}
      selectAll={t("selectAll")}
      selectOne={({ path }) => t("select", { name: path })}
      head={
        <>
          <th scope="col">{t("file")}</th>
          <th scope="col" class="wide-only">
            {t("alt")}
          </th>
          <th scope="col" class="wide-only">
            {t("size")}
          </th>
          <th scope="col">{t("usedBy")}</th>
        </>
      }
      cells={(item) => <Cells item={item} />}
    />
  );
}

function Cells({ item }: ThumbnailProps): VNode {
  return (
    <>
      <td class="break">
        <button
          type="button"
          class="link"
          aria-label={t("open", { name: item.path })}
          onClick={() => setQuery({ file: item.path })}
        >
          {item.name}
        </button>
        <small class="dim block">{item.folder}</small>
      </td>
      <td class="wide-only break">
        {isUndescribed(item) ? (
          <span class="badge warn">{t("noAlt")}</span>
        ) : (
          String(item.meta["alt"] ?? "")
        )}
      </td>
      <td class="wide-only dim">{fileSize(item.size)}</td>
      <td>{t("uses", { n: item.usedBy.length + item.usedByRecords.length })}</td>
    </>
  );
}

interface ThumbnailProps {
  item: LibraryItem;
}

function Thumbnail({ item }: ThumbnailProps): VNode {
  const [isBroken, setBroken] = useState(false);
  if (isPicture(item) && !isBroken) {
    return (
      <img {...picture(item, "11rem")} alt="" loading="lazy" onError={() => setBroken(true)} />
    );
  }
  return (
    <>
      <span class="media-icon">
        <Icon of={FileIcon} size={40} />
      </span>
      {isBroken && <span class="badge bad">{t("broken")}</span>}
    </>
  );
}

/** A picture without an alternative text; an empty one says that it is decoration. */
function isUndescribed(item: LibraryItem): boolean {
  return isPicture(item) && typeof item.meta["alt"] !== "string";
}

/** Calls `onFiles` with files that are dropped on the window or pasted; true while some hover over it. */
function useDroppedFiles(isActive: boolean, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    if (!isActive) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const take = (event: Event, data: DataTransfer | null): void => {
      const files = [...(data?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    const hover = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      // Without this, the browser opens the file in place of the panel.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    addEventListener("dragover", hover, { signal });
    addEventListener("dragleave", leave, { signal });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        take(event, event.dataTransfer);
      },
      { signal },
    );
    addEventListener("paste", (event) => take(event, event.clipboardData), { signal });
    return () => ending.abort();
  }, [isActive]);
  return isOver;
}
