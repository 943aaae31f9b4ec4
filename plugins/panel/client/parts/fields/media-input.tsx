import { File as FileIcon, Images, X } from "lucide";
import type { VNode } from "preact";
import { useContext, useState } from "preact/hooks";
import { siteHref } from "../../boot.js";
import { Icon } from "../icon.js";
import { lazyDialog, useLoaded } from "../loading.js";
import { t } from "../parts-texts.js";
import { FieldScope, type ControlProps } from "./field-props.js";
import { call } from "../../api/request.js";
import { listLibrary } from "../../api/media.js";
import type { MediaItem } from "../../api/answers.js";

const MediaPicker = lazyDialog(() => import("./media-picker.js"));

/** A file: its picture and name, and a dialog to choose or upload another one. */
export function MediaInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, error, isEditable, onChange } = props;
  const { pagePath } = useContext(FieldScope);
  const [isChoosing, setChoosing] = useState(false);
  const name = typeof value === "string" ? value : "";
  // Fields of kind `file` hold an address, fields of kind `media` a key.
  const isAddress = field.type === "file";
  return (
    <div class="media-field">
      {isAddress ? (
        <input
          id={id}
          name={field.name}
          value={name}
          readOnly={!isEditable}
          aria-describedby={describedBy}
          aria-invalid={error !== null}
          onInput={(event) => onChange(event.currentTarget.value || undefined)}
        />
      ) : (
        name !== "" && <Chosen name={name} pagePath={pagePath} />
      )}
      {isEditable && (
        <div class="row">
          <button
            type="button"
            aria-describedby={isAddress ? undefined : describedBy}
            onClick={() => setChoosing(true)}
          >
            <Icon of={Images} />
            {t(name === "" ? "media.choose" : "media.replace")}
            <span class="visually-hidden">{` ${field.label}`}</span>
          </button>
          {name !== "" && (
            <button type="button" onClick={() => onChange(undefined)}>
              <Icon of={X} />
              {t("remove")}
            </button>
          )}
        </div>
      )}
      {isChoosing && (
        <MediaPicker
          pagePath={pagePath}
          onClose={() => setChoosing(false)}
          onChoose={(item: MediaItem, isOwn: boolean) => {
            setChoosing(false);
            onChange(isAddress ? item.url : isOwn ? item.name : (item.key ?? item.name));
          }}
        />
      )}
    </div>
  );
}

interface ChosenProps {
  /** The value of the field: a name, or the key of a file elsewhere. */
  name: string;
  /** Null: there is no page, as for records. */
  pagePath: string | null;
}

function Chosen({ name, pagePath }: ChosenProps): VNode {
  const file = useLoaded(`${pagePath}/${name}`, () => findFile(name, pagePath));
  const item = file.data ?? null;
  return (
    <div class="media-chosen">
      {item?.type.startsWith("image/") === true ? (
        <img src={siteHref(item.url)} alt="" loading="lazy" />
      ) : (
        <Icon of={FileIcon} size={32} />
      )}
      <span>
        <code>{name}</code>
        {file.data === null && <span class="badge bad">{t("relation.missing")}</span>}
      </span>
    </div>
  );
}

/** The file of a key: of the page itself, or of another one. */
async function findFile(key: string, pagePath: string | null): Promise<MediaItem | null> {
  if (!key.includes("/") && pagePath !== null) {
    const { items } = await call("GET /media", { query: { path: pagePath } });
    return items.find(({ name }) => name === key) ?? null;
  }
  const { items } = await listLibrary({ q: key.slice(key.lastIndexOf("/") + 1), limit: 200 });
  return items.find((item) => item.key === key) ?? null;
}
