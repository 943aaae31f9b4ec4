import { X } from "lucide";
import type { VNode } from "preact";
import { call, type Item } from "../../api/request.js";
import { Combobox, type ComboOption } from "../combobox.js";
import { Icon } from "../icon.js";
import { useLoaded } from "../loading.js";
import { t } from "../parts-texts.js";
import type { ControlProps } from "./field-props.js";
import { ItemList } from "./item-list.js";

type Target = Item<"GET /relations/:target">;
/** The targets that a field may name. */
interface TargetChoice {
  /** `page`, `record`, `user`. */
  readonly target: string;
  /** Templates or types; empty: any. */
  readonly of?: readonly string[];
  /** Route above pages. */
  readonly from?: string;
}

/** Pages, records or an account: found by their titles, shown by them, stored by their keys. */
export function RelationInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, error, isEditable, onChange } = props;
  const choice = toChoice(props);
  const isMany = field.type === "pages" || field.type === "records";
  const keys = toTexts(value);
  const chosen = useLoaded(JSON.stringify([choice, keys]), async () =>
    keys.length === 0 ? [] : listTargets(choice, { key: keys }),
  );
  const add = (key: string): void => {
    if (!isMany) onChange(key);
    else if (!keys.includes(key)) onChange([...keys, key]);
  };
  const find = (key: string): Target | undefined =>
    chosen.data?.find((target) => target.key === key);
  const title = (key: string): VNode => (
    <Chosen target={find(key)} name={key} isLoading={chosen.data === undefined} />
  );
  const isFull = isMany && field.max !== null && keys.length >= field.max;
  return (
    <div class="relation">
      {isMany ? (
        keys.length > 0 && (
          <ItemList
            label={field.label}
            items={keys}
            isEditable={isEditable}
            hasBody={false}
            nameOf={(key) => find(key)?.label ?? key}
            titleOf={title}
            onChange={(next) => onChange(next.length === 0 ? undefined : next)}
          />
        )
      ) : (
        <One
          keys={keys}
          title={title}
          isEditable={isEditable}
          onClear={() => onChange(undefined)}
        />
      )}
      {isEditable && !isFull && (
        <Combobox
          id={id}
          describedBy={describedBy}
          isInvalid={error !== null}
          placeholder={t(keys.length > 0 && !isMany ? "relation.replace" : "relation.search")}
          find={async (words) =>
            (await listTargets(choice, { q: words })).filter(({ key }) => !keys.includes(key))
          }
          onChoose={({ key }) => add(key)}
        />
      )}
    </div>
  );
}

/** Targets whose title has the words, or those of keys; keys that lead nowhere are absent. */
async function listTargets(
  { target, of = [], from }: TargetChoice,
  search: { q: string } | { key: readonly string[] },
): Promise<readonly Target[]> {
  const query = { of: of.join(","), from, ...search };
  return (await call("GET /relations/:target", { params: { target }, query })).items;
}

interface OneProps {
  /** None or one. */
  keys: readonly string[];
  title(key: string): VNode;
  isEditable: boolean;
  onClear(): void;
}

function One(props: OneProps): VNode | null {
  const [key] = props.keys;
  if (key === undefined) return null;
  return (
    <div class="item item-head">
      <span class="item-title">{props.title(key)}</span>
      {props.isEditable && (
        <button type="button" class="icon" aria-label={t("remove")} onClick={props.onClear}>
          <Icon of={X} size={16} />
        </button>
      )}
    </div>
  );
}

interface ChosenProps {
  /** Undefined while it loads, and for a key that leads nowhere. */
  target: Target | undefined;
  /** The key. */
  name: string;
  isLoading: boolean;
}

function Chosen({ target, name, isLoading }: ChosenProps): VNode {
  if (target === undefined) {
    return (
      <>
        <code>{name}</code> {!isLoading && <span class="badge bad">{t("relation.missing")}</span>}
      </>
    );
  }
  return (
    <>
      <span>{target.label}</span> <small class="dim">{target.detail}</small>
    </>
  );
}

function toChoice({ field }: ControlProps): TargetChoice {
  const { of, from } = field.more ?? {};
  return {
    target: field.type.replace(/s$/, ""),
    of: Array.isArray(of) ? of.map(String) : [],
    from: typeof from === "string" ? from : "",
  };
}

/** The texts of a value: none, one or a list. */
function toTexts(value: unknown): string[] {
  if (value === undefined || value === null || value === "") return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** A list of short texts with suggestions: Enter or a comma adds one, its button removes it. */
export function TagsInput(props: ControlProps): VNode {
  const { field, value, id, describedBy, error, isEditable, onChange } = props;
  const items = toTexts(value);
  const add = (text: string): boolean => {
    const tags = text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "" && !items.includes(one));
    if (tags.length > 0) onChange([...items, ...tags]);
    return text.trim() !== "";
  };
  const remove = (tag: string): void => {
    const rest = items.filter((one) => one !== tag);
    onChange(rest.length === 0 ? undefined : rest);
  };
  return (
    <div class="tags">
      {items.map((item) => (
        <span key={item} class="tag">
          {item}
          {isEditable && (
            <button
              type="button"
              class="icon"
              aria-label={t("tag.remove", { tag: item })}
              onClick={() => remove(item)}
            >
              <Icon of={X} size={14} />
            </button>
          )}
        </span>
      ))}
      {isEditable && (
        <Combobox
          id={id}
          describedBy={describedBy}
          isInvalid={error !== null}
          placeholder={t("tag.add")}
          find={async (words) =>
            (await suggestions(props, words)).filter(({ key }) => !items.includes(key))
          }
          onChoose={({ key }) => add(key)}
          onText={add}
          onBackspace={() => {
            const last = items.at(-1);
            if (last !== undefined) remove(last);
          }}
        />
      )}
      {!isEditable && <input id={id} type="hidden" name={field.name} />}
    </div>
  );
}

/** The field's options, else the values that other pages have. */
async function suggestions(
  { field }: ControlProps,
  words: string,
): Promise<readonly ComboOption[]> {
  if (field.options.length > 0) {
    return field.options
      .filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()))
      .map(({ value, label }) => ({ key: value, label, detail: "" }));
  }
  if (field.type !== "tags") return [];
  const from = typeof field.more?.["from"] === "string" ? field.more["from"] : field.name;
  const input = { params: { target: "term" }, query: { from, q: words } };
  return (await call("GET /relations/:target", input)).items;
}
