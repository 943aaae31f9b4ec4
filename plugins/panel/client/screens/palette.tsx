import { FilePlus, FileText, Keyboard, LogOut, MailPlus, Puzzle, SunMoon, Upload } from "lucide";
import { Fragment, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { foreignScreens } from "../app/extensions.js";
import { openHelp } from "../app/overlay.js";
import { navigate } from "../app/router.js";
import { COLOR_SCHEMES, setColors } from "../app/colors.js";
import { maySee, screens } from "../app/screens.js";
import { t } from "../app/texts.js";
import { Dialog } from "../parts/dialog.js";
import { Icon } from "../parts/icon.js";
import { useLoaded } from "../parts/loading.js";
import { attempt } from "../app/toasts.js";
import { may, mayEverywhere, signOut } from "../api/session.js";
import { findEverywhere, type Command } from "./palette-sources.js";

/** A search waits while one types. */
const WAIT_MS = 120;
/** Parts of screens without an entry in the menu. */
const PARTS = [
  { path: "/searches/explain", label: "palette.explain", permission: "pages.read" },
  { path: "/searches/synonyms", label: "palette.synonyms", permission: "config.read" },
  { path: "/settings/plugins", label: "palette.plugins", permission: "config.read" },
] as const;

/** What a screen does at once when it is opened so. */
const ACTIONS = [
  { path: "/pages?new=1", label: "palette.newPage", permission: "pages.create", icon: FilePlus },
  { path: "/media?upload=1", label: "palette.upload", permission: "media.upload", icon: Upload },
  { path: "/users?invite=1", label: "palette.invite", permission: "users.manage", icon: MailPlus },
] as const;

/** A dialog that lies over the screen. */
interface OverlayProps {
  onClose(): void;
}

/** The command palette: screens, actions, pages, records, files, people and settings by their name. */
export default function Palette({ onClose }: OverlayProps): VNode {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const asked = useLater(words.trim());
  const found = useLoaded(asked, () => findEverywhere(asked));
  const isCurrent = asked === words.trim() && !found.isLoading;
  const commands = [...matching(words), ...(found.data?.commands ?? [])];
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
          // In a field of the type "search", the first Escape would only empty it.
          type="text"
          enterkeyhint="search"
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
        {commands.length === 0 && isCurrent && <p class="dim">{t("palette.empty")}</p>}
        {found.data?.problems.map((problem) => (
          <p key={problem} class="field-error" role="alert">
            {problem}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

/** The words once they have been the same for a moment. */
function useLater(words: string): string {
  const [later, setLater] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setLater(words), WAIT_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return later;
}

function matching(words: string): Command[] {
  const part = words.trim().toLowerCase();
  return builtIn().filter(({ label }) => label.toLowerCase().includes(part));
}

function builtIn(): Command[] {
  const shown = screens.filter((screen) => screen.menu !== undefined && maySee(screen));
  const toScreens = shown.map(({ path, label, menu }) => ({
    id: path,
    label: t(label),
    detail: "",
    icon: menu?.icon ?? FileText,
    run: () => navigate(path),
  }));
  const inside = PARTS.filter(({ permission }) => mayEverywhere(permission)).map(
    ({ path, label }) => ({
      id: path,
      label: t(label),
      detail: "",
      icon: FileText,
      run: () => navigate(path),
    }),
  );
  const ofPlugins = foreignScreens()
    .filter(({ permission }) => may(permission))
    .map(({ path, label, from }) => ({
      id: path,
      label,
      detail: from.plugin,
      icon: Puzzle,
      run: () => navigate(path),
    }));
  const actions = ACTIONS.filter(({ permission }) => may(permission)).map(
    ({ path, label, icon }) => ({
      id: path,
      label: t(label),
      detail: "",
      icon,
      run: () => navigate(path),
    }),
  );
  const colors = COLOR_SCHEMES.map((name) => ({
    id: `colors-${name}`,
    label: `${t("colors")}: ${t(`colors.${name}`)}`,
    detail: "",
    icon: SunMoon,
    run: () => setColors(name),
  }));
  const help: Command = {
    id: "help",
    label: t("help.title"),
    detail: "?",
    icon: Keyboard,
    run: openHelp,
  };
  const leave: Command = {
    id: "sign-out",
    label: t("signOut"),
    detail: "",
    icon: LogOut,
    run: () => void attempt(signOut),
  };
  return [...toScreens, ...inside, ...ofPlugins, ...actions, ...colors, help, leave];
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
