import { FilePlus, FileText, Keyboard, Puzzle, type IconNode } from "lucide";
import { Fragment, type VNode } from "preact";
import { useState } from "preact/hooks";
import { foreignScreens } from "../app/extensions.js";
import { openHelp } from "../app/overlay.js";
import { editPath, navigate } from "../app/router.js";
import { screens } from "../app/screens.js";
import { t } from "../app/texts.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { useLoaded } from "../parts/loading.js";
import { call } from "../api/request.js";
import { may } from "../api/session.js";

/** A line of the palette. */
interface Command {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly icon: IconNode;
  run(): void;
}

const MAX_PAGES = 8;
/** Parts of screens without an entry in the menu. */
const PARTS = [
  { path: "/searches/explain", label: "palette.explain", permission: "pages.read" },
  { path: "/searches/synonyms", label: "palette.synonyms", permission: "config.read" },
  { path: "/settings/plugins", label: "palette.plugins", permission: "config.read" },
] as const;

/** A dialog that lies over the screen. */
interface OverlayProps {
  onClose(): void;
}

/** The command palette: screens, actions and pages by their name. */
export default function Palette({ onClose }: OverlayProps): VNode {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const pages = useLoaded(words, () => findPages(words));
  const commands = [...matching(words), ...(pages.data ?? [])];
  const chosen = Math.min(at, Math.max(0, commands.length - 1));
  const run = (command: Command | undefined): void => {
    if (command !== undefined) onClose();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  return (
    <Dialog title={t("palette.title")} onClose={onClose}>
      <div class="palette">
        <input
          type="search"
          role="combobox"
          list={undefined}
          autofocus
          aria-expanded="true"
          aria-controls="palette-list"
          aria-label={t("palette.hint")}
          aria-activedescendant={commands.length > 0 ? `command-${chosen}` : undefined}
          placeholder={t("palette.hint")}
          value={words}
          onKeyDown={onKeyDown}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setAt(0);
          }}
        />
        <ul id="palette-list" role="listbox" aria-label={t("palette.title")}>
          {commands.map((command, index) => (
            <li
              key={command.id}
              id={`command-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={() => run(command)}
            >
              <Icon of={command.icon} />
              <span>{command.label}</span>
              <small>{command.detail}</small>
            </li>
          ))}
        </ul>
        {commands.length === 0 && !pages.isLoading && <p class="dim">{t("palette.empty")}</p>}
      </div>
    </Dialog>
  );
}

function matching(words: string): Command[] {
  const part = words.trim().toLowerCase();
  return builtIn().filter(({ label }) => label.toLowerCase().includes(part));
}

function builtIn(): Command[] {
  const shown = screens.filter(({ menu, permission }) => menu !== undefined && may(permission));
  const toScreens = shown.map(({ path, label, menu }) => ({
    id: path,
    label: t(label),
    detail: "",
    icon: menu?.icon ?? FileText,
    run: () => navigate(path),
  }));
  const inside = PARTS.filter(({ permission }) => may(permission)).map(({ path, label }) => ({
    id: path,
    label: t(label),
    detail: "",
    icon: FileText,
    run: () => navigate(path),
  }));
  const ofPlugins = foreignScreens()
    .filter(({ permission }) => may(permission))
    .map(({ path, label, from }) => ({
      id: path,
      label,
      detail: from.plugin,
      icon: Puzzle,
      run: () => navigate(path),
    }));
  const create: Command = {
    id: "new-page",
    label: t("palette.newPage"),
    detail: "",
    icon: FilePlus,
    run: () => navigate("/pages?new=1"),
  };
  const help: Command = {
    id: "help",
    label: t("help.title"),
    detail: "?",
    icon: Keyboard,
    run: openHelp,
  };
  return [...toScreens, ...inside, ...ofPlugins, ...(may("pages.create") ? [create] : []), help];
}

async function findPages(words: string): Promise<Command[]> {
  if (words.trim() === "" || !may("pages.read")) return [];
  const { items } = await call("GET /pages", {
    query: { q: words.trim(), limit: MAX_PAGES, broken: "true", languages: "together" },
  });
  return items.map((page) => ({
    id: page.sourcePath,
    label: page.title,
    detail: page.broken === undefined ? page.route : page.sourcePath,
    icon: FileText,
    run: () => navigate(editPath(page.sourcePath)),
  }));
}

const SHORTCUTS = [
  ["Ctrl K", "help.palette"],
  ["?", "help.help"],
  ["Ctrl S", "help.save"],
  ["Ctrl B", "help.bold"],
  ["Ctrl I", "help.italic"],
  ["Tab", "help.tab"],
  ["Esc Tab", "help.leave"],
  ["Alt ↑ ↓", "help.move"],
  ["Ctrl /", "help.block"],
  ["Ctrl Shift K", "help.link"],
  ["Ctrl F", "help.find"],
  ["Ctrl Shift F", "help.focus"],
  ["Ctrl Shift P", "help.preview"],
  ["Ctrl Enter", "help.publish"],
] as const;

/** The list of keyboard shortcuts. */
export function Help({ onClose }: OverlayProps): VNode {
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <Dialog title={t("help.title")} onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS.map(([keys, text]) => (
          <Fragment key={text}>
            <dt>
              <kbd>{isApple ? keys.replace("Ctrl", "⌘").replace("Shift", "⇧") : keys}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
