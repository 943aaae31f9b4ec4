import { ChevronDown, ChevronRight } from "lucide";
import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { call } from "../../api/request.js";
import type { PageRow } from "../../api/answers.js";
import { Icon } from "../../parts/icon.js";
import { Failure, useLoaded } from "../../parts/loading.js";
import { t } from "./pages-texts.js";
import { useTree, type Tree } from "./tree.js";

const MAX_FOUND = 30;
const NAME = "parent";

/** The route that was chosen in a form with `PagePicker`; `/`: the top. */
export function readParent(form: FormData): string {
  return String(form.get(NAME) ?? "/");
}

interface PagePickerProps {
  legend: string;
  /** Route that is chosen at first; `/`: the top, or the home page. */
  parent: string;
  /** Name of `/`; absent: the top level, above all pages. */
  top?: string;
  /** False for pages that cannot be chosen. */
  isPossible?(page: PageRow): boolean;
  /** Called with the route and the page; null: the top. */
  onChoose?(route: string, page: PageRow | null): void;
}

/** The pages as a tree of radio buttons whose levels load when they are opened, with a search in all of them. */
export function PagePicker(props: PagePickerProps): VNode {
  const { legend, top = t("move.top"), isPossible = () => true } = props;
  const tree = useTree(routesAbove(props.parent));
  const group = useId();
  const [chosen, setChosen] = useState({ route: props.parent, title: "" });
  const [words, setWords] = useState("");
  const choices: Choices = {
    group,
    top,
    chosen: chosen.route,
    isPossible: (page) => !page.isModule && page.route !== "" && isPossible(page),
    choose: (route, page) => {
      setChosen({ route, title: page?.title ?? "" });
      props.onChoose?.(route, page);
    },
  };
  return (
    <fieldset class="page-picker">
      <legend>{legend}</legend>
      <input type="hidden" name={NAME} value={chosen.route} />
      <input
        type="search"
        aria-label={t("parent.search")}
        placeholder={t("parent.search")}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          // It would submit the form.
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      {tree.error !== null && <Failure error={tree.error} onRetry={tree.reload} />}
      <ul class="choices" tabIndex={-1}>
        {words.trim() === "" ? (
          <>
            <li>
              <Choice route="/" page={null} choices={choices} />
            </li>
            <Level tree={tree} route="/" choices={choices} />
          </>
        ) : (
          <Found words={words.trim()} choices={choices} />
        )}
      </ul>
      <p class="dim" role="status">
        {t("parent.chosen", {
          title: chosen.title === "" ? nameOf(chosen.route, top) : chosen.title,
        })}
      </p>
    </fieldset>
  );
}

function nameOf(route: string, top: string): string {
  return route === "/" ? top : route;
}

/** The routes of the levels that lead to a page: `/a` and `/a/b` for `/a/b/c`. */
function routesAbove(route: string): string[] {
  const segments = route.split("/").slice(1, -1);
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join("/")}`);
}

/** What all radio buttons share. */
interface Choices {
  /** Name of the group. */
  readonly group: string;
  /** Name of `/`. */
  readonly top: string;
  /** Route. */
  readonly chosen: string;
  isPossible(page: PageRow): boolean;
  choose(route: string, page: PageRow | null): void;
}

interface ChoiceProps {
  route: string;
  /** Null: the top. */
  page: PageRow | null;
  choices: Choices;
}

function Choice({ route, page, choices }: ChoiceProps): VNode {
  return (
    <label class="inline">
      <input
        type="radio"
        name={choices.group}
        checked={choices.chosen === route}
        disabled={page !== null && !choices.isPossible(page)}
        onChange={() => choices.choose(route, page)}
      />
      <span>{page?.title ?? choices.top}</span>
    </label>
  );
}

interface LevelProps {
  tree: Tree;
  /** Of the page above. */
  route: string;
  choices: Choices;
}

function Level({ tree, route, choices }: LevelProps): VNode {
  const pages = (tree.levels.get(route) ?? []).filter((page) => page.route !== "/");
  return (
    <>
      {pages.map((page) => {
        const isOpen = tree.open.has(page.route);
        const { title } = page;
        return (
          <li key={page.sourcePath}>
            {page.hasChildren && (
              <button
                type="button"
                class="icon"
                aria-expanded={isOpen}
                aria-label={t(isOpen ? "collapse" : "expand", { title })}
                onClick={() => tree.toggle(page.route)}
              >
                <Icon of={isOpen ? ChevronDown : ChevronRight} size={16} />
              </button>
            )}
            <Choice route={page.route} page={page} choices={choices} />
            {isOpen && page.hasChildren && (
              <ul>
                <Level tree={tree} route={page.route} choices={choices} />
              </ul>
            )}
          </li>
        );
      })}
    </>
  );
}

interface FoundProps {
  words: string;
  choices: Choices;
}

function Found({ words, choices }: FoundProps): VNode {
  const found = useLoaded(words, () =>
    call("GET /pages", { query: { q: words, limit: MAX_FOUND, languages: "together" } }),
  );
  const pages = (found.data?.items ?? []).filter(
    ({ route, isModule }) => route !== "/" && !isModule,
  );
  return (
    <>
      {found.error !== null && <Failure error={found.error} onRetry={found.reload} />}
      {pages.map((page) => (
        <li key={page.sourcePath}>
          <Choice route={page.route} page={page} choices={choices} />
          <small class="dim">
            <bdi>{page.route}</bdi>
          </small>
        </li>
      ))}
      {found.data !== undefined && pages.length === 0 && <li class="dim">{t("parent.none")}</li>}
    </>
  );
}
