// Colour scheme, copy buttons, search shortcut, section in view. All pages work without this script.
(() => {
  const root = document.documentElement;
  // Before the first paint, so that elements that need this script cause no layout shift.
  root.dataset.script = "";
  const key = "site-colours";

  const saved = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const save = (value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Storage is disabled: the choice applies to this page only.
    }
  };

  const chosen = saved();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

  const isDark = () =>
    root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;

  function colours() {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      const show = () => button.setAttribute("aria-pressed", String(isDark()));
      button.hidden = false;
      show();
      button.addEventListener("click", () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        save(root.dataset.theme);
        show();
      });
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
    }
  }

  function copyButtons() {
    if (!navigator.clipboard) return;
    const label = document.body.dataset.copy ?? "Copy";
    const done = document.body.dataset.copied ?? "Copied";
    for (const pre of document.querySelectorAll(".prose pre:not(.diagram pre)")) {
      const frame = document.createElement("div");
      frame.className = "code-frame";
      pre.replaceWith(frame);
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = label;
      const show = (text) => {
        button.textContent = text;
      };
      const copied = () => {
        show(done);
        setTimeout(show, 2000, label);
      };
      button.addEventListener("click", () => {
        // Lines that a diff removes are not part of the result.
        const copy = pre.cloneNode(true);
        for (const line of copy.querySelectorAll(".line.remove")) line.remove();
        navigator.clipboard.writeText(copy.textContent ?? "").then(copied, () => show(label));
      });
      frame.append(pre, button);
    }
  }

  // Footnotes beside their references, where there is room and no list of headings.
  function marginNotes() {
    const list = document.querySelector(".margin-notes ol");
    const prose = list?.closest(".prose");
    if (!prose || !("ResizeObserver" in window)) return;
    const place = () => {
      const box = prose.getBoundingClientRect();
      const isRtl = getComputedStyle(prose).direction === "rtl";
      const room = isRtl ? box.left : root.clientWidth - box.right;
      const isFree = !document.querySelector(".contents")?.offsetParent && room > 260;
      let end = 0;
      for (const note of list.children) {
        const link = document.querySelector(`a[href="#${CSS.escape(note.id)}"]`);
        const isPlaced = isFree && link !== null;
        note.classList.toggle("in-margin", isPlaced);
        if (!isPlaced) continue;
        const top = Math.max(end, link.getBoundingClientRect().top - box.top - 2);
        note.style.top = `${top}px`;
        end = top + note.offsetHeight + 12;
      }
    };
    new ResizeObserver(place).observe(prose);
  }

  // The choice in one group of tabs applies to all with the same label.
  function tabs() {
    for (const input of document.querySelectorAll(".tab-label > input")) {
      input.addEventListener("change", () => {
        const text = input.parentElement.textContent;
        for (const label of document.querySelectorAll(".tab-label")) {
          if (label.textContent === text) label.firstElementChild.checked = true;
        }
      });
    }
  }

  // Boxes that scroll sideways must be focusable by keyboard.
  function scrollers() {
    if (!("ResizeObserver" in window)) return;
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      }
    });
    for (const box of document.querySelectorAll(".prose pre, .table-scroll")) observer.observe(box);
  }

  function keys() {
    document.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === "/" && isPlain) focusSearch(event);
      if (event.key === "Escape") closeMenu();
    });
  }

  function focusSearch(event) {
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const field = [...document.querySelectorAll("[data-search]")].find(
      (input) => input.offsetParent,
    );
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  }

  function closeMenu() {
    const open = document.activeElement?.closest("header details[open], .versions[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  }

  // Marks the section in view in the list of headings.
  function reading() {
    const links = [...document.querySelectorAll(".contents a")];
    const sections = links
      .map((link) => [element(link.hash.slice(1)), link])
      .filter(([heading]) => heading);
    if (sections.length === 0) return;
    let isWaiting = false;
    let marked = null;
    const mark = () => {
      isWaiting = false;
      const isEnd = innerHeight + scrollY >= root.scrollHeight - 2;
      const passed = sections.filter(([heading]) => heading.getBoundingClientRect().top < 140);
      const [, link] = (isEnd && scrollY > 0 ? sections : passed).at(-1) ?? sections[0];
      if (link === marked) return;
      marked?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
      marked = link;
      reveal(link.closest(".contents"), link);
    };
    const later = () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(mark);
    };
    addEventListener("scroll", later, { passive: true });
    mark();
  }

  // Scrolls a long list to one of its links.
  function reveal(list, link) {
    if (!list || !link) return;
    const box = list.getBoundingClientRect();
    const own = link.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) {
      list.scrollTop += own.top - box.top - box.height / 3;
    }
  }

  // Shows the current page in a long list of pages, and closes lists that were opened over the page.
  function docs() {
    for (const list of document.querySelectorAll(".docs-nav:has([data-branch])")) branches(list);
    for (const list of document.querySelectorAll(".docs-nav, .contents[popover]")) {
      const show = () => reveal(list, list.querySelector("[aria-current]:not(.versions a)"));
      show();
      list.addEventListener("toggle", (event) => event.target === list && show());
    }
    const contents = document.querySelector(".contents[popover]");
    contents?.addEventListener("click", (event) => {
      if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
    });
  }

  // The sidebar of a large tree: its closed groups are links, which become groups that load their entries
  // when they are opened, and buttons load the rest of a long list.
  function branches(list) {
    for (const link of list.querySelectorAll("a[data-branch]")) {
      if (link.dataset.more) link.replaceWith(moreButton(link));
      else link.replaceWith(closedGroup(link));
    }
    for (const group of list.querySelectorAll("li > details:not([data-watched])")) {
      const summary = group.querySelector("summary");
      const show = () => summary.setAttribute("aria-expanded", String(group.open));
      group.dataset.watched = "";
      group.addEventListener("toggle", show);
      show();
    }
  }

  function closedGroup(link) {
    const group = document.createElement("details");
    const summary = document.createElement("summary");
    const title = document.createElement("span");
    title.textContent = link.textContent;
    for (const name of ["lang", "dir"]) {
      if (link.hasAttribute(name)) summary.setAttribute(name, link.getAttribute(name));
    }
    summary.append(title);
    group.append(summary);
    const isLoaded = () => group.querySelector("ul") !== null;
    group.addEventListener("toggle", () => {
      if (!group.open || isLoaded() || group.hasAttribute("aria-busy")) return;
      loadEntries(group, link.dataset.branch, (entries) => {
        group.append(entries);
        branches(group);
      });
    });
    return group;
  }

  function moreButton(link) {
    const button = document.createElement("button");
    const [side, at] = link.dataset.more.split(" ");
    button.type = "button";
    button.className = "docs-nav-more";
    button.textContent = link.textContent;
    button.addEventListener("click", () => {
      const item = button.parentElement;
      if (item.hasAttribute("aria-busy")) return;
      loadEntries(item, link.dataset.branch, (entries) => {
        const parent = item.parentElement;
        const all = [...entries.children];
        const isMore = (entry) => entry.querySelector("[data-more]") !== null;
        const shown = all.filter((entry) => !isMore(entry));
        const more = all.find((entry) => entry.querySelector(`[data-more^="${side}"]`));
        const added = side === "before" ? shown.slice(0, Number(at) + 1) : shown.slice(Number(at));
        const first = added.at(side === "before" ? -1 : 0);
        const next = more === undefined ? [] : [more];
        item.replaceWith(...(side === "before" ? [...next, ...added] : [...added, ...next]));
        branches(parent);
        first?.querySelector("a, summary, button")?.focus();
      });
    });
    return button;
  }

  // Loads the list of entries at an address into an element; a failure is shown there, with a button that repeats.
  function loadEntries(place, address, show) {
    const { failed, retry } = place.closest(".docs-nav").dataset;
    place.setAttribute("aria-busy", "true");
    fetch(address)
      .then(async (response) => {
        if (!response.ok) throw new Error(String(response.status));
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const entries = page.querySelector("ul");
        if (entries === null) throw new Error("no entries");
        return document.importNode(entries, true);
      })
      .then(show)
      .catch(() => {
        const message = document.createElement("p");
        const button = document.createElement("button");
        message.className = "docs-nav-failed";
        message.setAttribute("role", "alert");
        button.type = "button";
        button.textContent = retry;
        button.addEventListener("click", () => {
          message.remove();
          (place.querySelector("summary, button") ?? place).focus();
          loadEntries(place, address, show);
        });
        message.append(`${failed} `, button);
        place.append(message);
      })
      .finally(() => place.removeAttribute("aria-busy"));
  }

  // Links from other sites name an anchor as its author wrote it: the page prefixes the ids of
  // authors, and has the ids of headings in lower case. A section that has moved to another page is
  // found by a link to it on this one.
  function anchor() {
    const id = location.hash.slice(1);
    if (id === "" || element(id) !== null) return;
    const found = [`user-content-${id}`, id.toLowerCase()].find((other) => element(other) !== null);
    if (found !== undefined) return location.replace(`#${found}`);
    const { hash, origin, pathname } = location;
    const names = [hash, hash.toLowerCase()];
    const moved = [...document.querySelectorAll("main a[href]")].find(
      (link) => names.includes(link.hash) && link.origin === origin && link.pathname !== pathname,
    );
    if (moved !== undefined) location.replace(moved.href);
  }

  function element(id) {
    try {
      return document.getElementById(decodeURIComponent(id));
    } catch {
      return null;
    }
  }

  window.addEventListener("hashchange", anchor);
  document.addEventListener("DOMContentLoaded", () => {
    anchor();
    colours();
    copyButtons();
    scrollers();
    marginNotes();
    tabs();
    keys();
    reading();
    docs();
  });
})();
