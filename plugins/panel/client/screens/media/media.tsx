import { Upload as UploadIcon } from "lucide";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { listLibrary, type Library, type LibraryQuery } from "../../api/media/media-library.js";
import { may } from "../../api/session.js";
import { t as app } from "../../app/app-texts.js";
import { setQuery } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { FilterSelect } from "../../parts/lists/filter-select.js";
import { Icon } from "../../parts/icon.js";
import { Paged } from "../../parts/lists/paged.js";
import { SearchInput } from "../../parts/lists/search-input.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { ViewChoice } from "../../parts/lists/view-choice.js";
import { FileDialog } from "./file-dialog.js";
import { MediaGrid, MediaTable } from "./media-items.js";
import { t } from "./media-texts.js";
import { UploadDialog } from "./upload-dialog.js";
import { useDroppedFiles } from "./use-dropped-files.js";
import { useUploads, type Uploads } from "./use-uploads.js";

const LIMIT = 48;
const TYPES = ["image", "video", "audio", "application/pdf"] as const;

/** All files of the site. */
export default function Media({ query }: ScreenProps): VNode {
  const offset = Number(query.get("offset") ?? 0);
  const filter = filterOf(query, offset);
  const library = useLoaded(JSON.stringify(filter), () => listLibrary(filter));
  const opened = query.get("file");
  const isList = query.get("view") === "list";
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{app("screen.media")}</h1>
        <div class="row">
          <ViewChoice
            {...{ label: t("view"), view: isList ? "list" : "" }}
            views={[
              { name: "", label: t("grid") },
              { name: "list", label: t("list") },
            ]}
          />
          {may("media.upload") && <Uploading query={query} onStored={library.reload} />}
        </div>
      </header>
      <Filters query={query} library={library.data} />
      <Paged
        {...{ of: library, offset, limit: LIMIT }}
        count={(n) => (n === 0 ? t("none") : t("count", { n }))}
      >
        {({ items }) => (isList ? <MediaTable items={items} /> : <MediaGrid items={items} />)}
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

function filterOf(query: URLSearchParams, offset: number): LibraryQuery {
  const [q, folder, type] = ["q", "folder", "type"].map((name) => query.get(name) ?? "");
  return {
    q: q ?? "",
    folder: folder ?? "",
    type: type ?? "",
    page: Math.floor(offset / LIMIT) + 1,
    limit: LIMIT,
  };
}

/** The button, the dialog, and files that are dropped or pasted anywhere. */
function Uploading({ query, onStored }: { query: URLSearchParams; onStored(): void }): VNode {
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
          {...{ uploads, pending, folder }}
          onPendingSent={() => setPending([])}
          onClose={close}
        />
      )}
    </div>
  );
}

function UploadButton({ uploads }: { uploads: Uploads }): VNode {
  return (
    <button type="button" class="primary" onClick={() => setQuery({ upload: "1" })}>
      <Icon of={UploadIcon} />
      {t(uploads.isBusy ? "upload.busy" : "upload")}
    </button>
  );
}

function Filters(props: { query: URLSearchParams; library: Library | undefined }): VNode {
  const { query, library } = props;
  const folder = query.get("folder") ?? "";
  const known = library?.folders ?? [];
  const folders = known.includes(folder) || folder === "" ? known : [folder, ...known];
  return (
    <div class="row" role="search">
      <SearchInput label={t("search")} value={query.get("q") ?? ""} />
      <FilterSelect
        {...{ name: "folder", label: t("folder"), value: folder, any: t("anyFolder") }}
        options={folders.map((value) => ({ value, label: value }))}
      />
      <FilterSelect
        {...{ name: "type", label: t("type"), value: query.get("type") ?? "", any: t("anyType") }}
        options={TYPES.map((value) => ({ value, label: t(`type.${value}`) }))}
      />
    </div>
  );
}
