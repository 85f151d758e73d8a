// The script of the page: shows the people of a cell, marks what somebody may do, filters and sorts tables.
// All names are in the page already. The script handles them as text only.
void (async () => {
  /** @template {HTMLElement} T @param {string} id @returns {T} */
  const byId = (id) => /** @type {T} */ (document.getElementById(id));
  /** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
  const all = (root, selector) => [...root.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));
  /** @param {Element | null} one */
  const textOf = (one) => one?.textContent ?? "";
  /** @param {string} name @param {string} text @param {string} [kind] */
  const element = (name, text, kind) => {
    const one = document.createElement(name);
    one.textContent = text;
    if (kind) one.className = kind;
    return one;
  };

  /** @param {number} count */
  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

  /** @typedef {[set: number, names: number[], setting: string | 0, unknown?: string]} Cell */
  /** @type {{ sets: string, cells: Cell[], inside: Record<string, number[]> }} */
  const data = JSON.parse(textOf(byId("data")));

  // Sets of accounts, as numbers of rows.

  const rows = all(byId("people-table"), "tbody tr");
  const nameOf = (/** @type {HTMLElement} */ row) => textOf(row.querySelector("th b"));
  const size = rows.length;
  const packed = new Blob([Uint8Array.from(atob(data.sets), (sign) => sign.charCodeAt(0))]).stream();
  const sets = new Uint8Array(
    await new Response(packed.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer(),
  );
  // A set fills whole words of 32 bits.
  const bytes = Math.ceil(size / 32) * 4;
  /** @param {number} set @param {number} n */
  const has = (set, n) => ((sets[set * bytes + (n >> 3)] >> (n & 7)) & 1) === 1;

  const cells = all(document, "td.c");
  const cellData = new Map(cells.map((cell, n) => [cell, data.cells[n]]));
  /** @param {HTMLElement} cell */
  const dataOf = (cell) => /** @type {Cell} */ (cellData.get(cell));

  // The people of a cell.

  /** @param {HTMLElement} cell @returns {HTMLElement[]} rows of people */
  function whoOf(cell) {
    const [set] = dataOf(cell);
    return rows.filter((_, n) => has(set, n));
  }
  /** @param {HTMLElement} cell */
  function titleOf(cell) {
    const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
    const table = /** @type {HTMLTableElement} */ (row.closest("table"));
    const name = nameOf(row);
    if (table.id === "organization-table") return name;
    const column = /** @type {HTMLTableCellElement} */ (cell).cellIndex;
    return `${name} › ${textOf(all(table, "thead th")[column])}`;
  }
  /** @param {HTMLElement} cell */
  function sizeOf(cell) {
    const who = whoOf(cell);
    const bots = who.filter((row) => row.dataset.bot !== undefined).length;
    const guests = who.filter((row) => row.dataset.guest !== undefined).length;
    const people = who.length - bots;
    const parts = [`${grouped(people)} ${people === 1 ? "person" : "people"}`];
    if (guests) parts.push(`${grouped(guests)} of them ${guests === 1 ? "a guest" : "guests"}`);
    if (bots) parts.push(`${grouped(bots)} ${bots === 1 ? "bot" : "bots"}`);
    return parts.join(", ");
  }
  /** @param {HTMLElement} cell */
  const labelOf = (cell) => cell.firstChild?.textContent ?? "";

  const tip = byId("tip");
  const mostTipNames = 12;
  /** @type {HTMLElement | undefined} */
  let tipCell;
  /** @param {HTMLElement | undefined} cell */
  function showTip(cell) {
    tipCell?.removeAttribute("aria-describedby");
    tipCell = cell;
    tip.hidden = !cell;
    if (!cell) return;
    const who = whoOf(cell);
    const names = who.slice(0, mostTipNames).map(nameOf).join(", ");
    const more = who.length > mostTipNames ? ` and ${grouped(who.length - mostTipNames)} more` : "";
    const [, , setting, unknown] = dataOf(cell);
    tip.replaceChildren(
      element("p", titleOf(cell), "title"),
      element("p", `${labelOf(cell)}: ${sizeOf(cell)}`),
      ...(setting ? [element("p", `The setting says: ${setting}`)] : []),
      ...(who.length ? [element("p", names + more)] : []),
      ...(unknown ? [element("p", `Not allChoices of all: ${unknown}`)] : []),
      ...(who.length > mostTipNames ? [element("p", "Press Enter or click for everybody.", "soft")] : []),
    );
    cell.setAttribute("aria-describedby", "tip");
    place(cell);
  }
  /** @param {HTMLElement} cell */
  function place(cell) {
    const box = cell.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = tip;
    const below = box.bottom + 6 + offsetHeight <= innerHeight;
    tip.style.top = `${Math.max(4, below ? box.bottom + 6 : box.top - 6 - offsetHeight)}px`;
    tip.style.left = `${Math.max(4, Math.min(box.left, innerWidth - offsetWidth - 8))}px`;
  }
  const cellAt = (/** @type {EventTarget | null} */ target) =>
    target instanceof Element
      ? /** @type {HTMLElement | undefined} */ (target.closest("td.c") ?? undefined)
      : undefined;
  document.addEventListener("mouseover", ({ target }) => {
    const cell = cellAt(target);
    if (cell !== tipCell) showTip(cell);
  });
  document.addEventListener("focusin", ({ target }) => showTip(cellAt(target)));
  const moved = () => (tipCell && tipCell === document.activeElement ? place(tipCell) : showTip(undefined));
  document.addEventListener("scroll", moved, { capture: true, passive: true });

  // A shadow at the right edge says that a table has more columns.

  const scrolled = all(document, ".scroll");
  const markEdges = () => {
    for (const one of scrolled) one.classList.toggle("more", one.scrollLeft + one.clientWidth < one.scrollWidth - 1);
  };
  const watched = new ResizeObserver(markEdges);
  for (const one of scrolled) {
    watched.observe(one);
    one.addEventListener("scroll", markEdges, { passive: true });
  }

  const dialog = /** @type {HTMLDialogElement} */ (byId("who"));
  /** @param {HTMLElement} cell */
  function open(cell) {
    showTip(undefined);
    byId("who-head").textContent = titleOf(cell);
    const [, , setting] = dataOf(cell);
    byId("who-note").textContent =
      `${labelOf(cell)}: ${sizeOf(cell)}${setting ? `. The setting says: ${setting}` : ""}`;
    byId("who-list").replaceChildren(
      ...whoOf(cell).map((row) => {
        const link = /** @type {HTMLAnchorElement} */ (element("a", nameOf(row)));
        link.href = `#${row.id}`;
        link.addEventListener("click", () => dialog.close());
        const one = document.createElement("li");
        one.append(link);
        return one;
      }),
    );
    dialog.showModal();
  }
  document.addEventListener("click", ({ target }) => {
    const cell = cellAt(target);
    if (cell) open(cell);
  });

  // Keyboard: Tab reaches one cell of each table, arrows reach the others.

  /** @param {HTMLTableElement} table */
  function grid(table) {
    table.setAttribute("role", "grid");
    const body = () => all(table, "tbody tr:not(.folder)").filter((row) => !row.hidden);
    /** @type {HTMLElement | undefined} */
    let current;
    /** @param {HTMLElement | undefined} cell */
    const enter = (cell) => {
      if (cell === current) return;
      current?.removeAttribute("tabindex");
      current = cell;
      current?.setAttribute("tabindex", "0");
    };
    /** @param {HTMLElement | undefined} cell */
    const go = (cell) => {
      if (!cell) return;
      enter(cell);
      cell.focus();
    };
    const first = () => enter(body()[0]?.querySelector("td.c") ?? undefined);
    first();
    table.addEventListener("mousedown", ({ target }) => enter(cellAt(target) ?? current));
    table.addEventListener("keydown", (event) => {
      const cell = cellAt(event.target);
      if (!cell || cell !== event.target || event.altKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        open(cell);
        return;
      }
      const line = all(/** @type {HTMLElement} */ (cell.parentElement), "td.c");
      const column = line.indexOf(cell);
      const lines = body();
      const row = lines.indexOf(/** @type {HTMLElement} */ (cell.parentElement));
      /** @type {Record<string, [number, number]>} */
      const moves = {
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        Home: [event.ctrlKey ? 0 : row, 0],
        End: [event.ctrlKey ? lines.length - 1 : row, line.length - 1],
        PageUp: [Math.max(0, row - 10), column],
        PageDown: [Math.min(lines.length - 1, row + 10), column],
      };
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      const next = lines[move[0]] && all(lines[move[0]], "td.c");
      go(next?.[Math.min(move[1], next.length - 1)]);
    });
    return first;
  }
  const grids = new Map(
    ["organization-table", "channel-table", "group-table"].map((id) => {
      const table = /** @type {HTMLTableElement} */ (byId(id));
      return [table, grid(table)];
    }),
  );

  // Filters.

  for (const input of /** @type {HTMLInputElement[]} */ (all(document, "[data-table]"))) {
    const table = /** @type {HTMLTableElement} */ (byId(input.dataset.table ?? ""));
    const lines = all(table, "tbody tr:not(.folder)");
    /** @type {string[] | undefined} */
    let read;
    const texts = () => (read ??= lines.map((row) => [...row.children].map(textOf).join("\n").toLowerCase()));
    const said = /** @type {HTMLElement} */ (input.parentElement?.querySelector(".shown"));
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const [n, row] of lines.entries()) {
        const hide = !words.every((word) => texts()[n].includes(word));
        if (row.hidden !== hide) row.hidden = hide;
        if (!hide) shown++;
      }
      for (const folder of all(table, "tr.folder")) {
        const rest = all(/** @type {HTMLElement} */ (folder.parentElement), "tr:not(.folder)");
        folder.hidden = rest.every((row) => row.hidden);
      }
      said.textContent = words.length ? `${shown} of ${lines.length}` : "";
      grids.get(table)?.();
    });
  }
  for (const tools of all(document, ".tools, .person")) tools.hidden = false;

  // Sorting.

  /** @param {HTMLElement} row @param {number} column @returns {string | number} */
  function keyOf(row, column) {
    const cell = /** @type {HTMLTableRowElement} */ (row).cells[column];
    if (column === 0) return nameOf(row).toLowerCase();
    const counted = cell.querySelector("b") ?? (cell.classList.contains("n") ? cell : null);
    if (counted) return Number(textOf(counted).replaceAll(",", ""));
    return textOf(cell).toLowerCase();
  }
  for (const table of /** @type {HTMLTableElement[]} */ (all(document, "table"))) {
    const bodies = [...table.tBodies].map((body) => ({ body, rows: [...body.rows] }));
    const heads = all(table, "thead [data-sort]");
    const back = table.id === "channel-table" ? byId("by-folder") : undefined;
    const restore = () => {
      for (const { body, rows } of bodies) {
        body.append(...rows);
        body.hidden = false;
      }
      for (const head of heads) head.removeAttribute("aria-sort");
    };
    for (const head of heads) {
      // Not a button element: Chromium omits those when it repeats a head on paper.
      const button = element("span", textOf(head));
      button.setAttribute("role", "button");
      button.tabIndex = 0;
      head.replaceChildren(button);
      button.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        button.click();
      });
      button.addEventListener("click", () => {
        const column = /** @type {HTMLTableCellElement} */ (head).cellIndex;
        const usual = column === 0 || table.id === "people-table" ? "ascending" : "descending";
        const before = head.getAttribute("aria-sort");
        const order = before === null ? usual : before === "ascending" ? "descending" : "ascending";
        const sign = order === "ascending" ? 1 : -1;
        const lines = bodies
          .flatMap(({ rows }) => rows.filter((row) => row.className !== "folder"))
          .map((row) => ({ row, key: keyOf(row, column) }));
        lines.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
        for (const [n, { body }] of bodies.entries()) body.hidden = n > 0;
        for (const { rows } of bodies) if (rows[0]?.className === "folder") rows[0].remove();
        bodies[0].body.append(...lines.map(({ row }) => row));
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", order);
        table.classList.add("sorted");
        if (back) back.hidden = false;
        grids.get(table)?.();
      });
    }
    back?.addEventListener("click", () => {
      restore();
      back.hidden = true;
      table.classList.remove("sorted");
      const input = document.querySelector(`[data-table="${table.id}"]`);
      input?.dispatchEvent(new Event("input"));
      /** @type {HTMLElement} */ (input)?.focus();
    });
  }

  // Marks what a person may do, or the settings that name a group.

  /** @typedef {{ name: string, aside: string, account?: number, group?: number }} Choice */

  /** @type {(Choice & { searchText: string })[] | undefined} */
  let allChoices;
  function choices() {
    allChoices ??= [
      ...rows.map((row, account) => ({ name: nameOf(row), aside: textOf(row.querySelector("small")), account })),
      ...all(byId("group-table"), "tbody tr").map((row) => ({
        name: nameOf(row),
        aside: "group",
        group: Number(row.id.slice(1)),
      })),
    ].map((choice) => ({ ...choice, searchText: `${choice.name}\n${choice.aside}`.toLowerCase() }));
    return allChoices;
  }

  /** @param {Choice | undefined} choice */
  function highlight(choice) {
    document.body.classList.toggle("lit", choice !== undefined);
    // A setting that names a group applies to every group in it.
    const reach = (/** @type {number[]} */ names) => {
      const met = new Set(names);
      for (const id of met) for (const inner of data.inside[id] ?? []) met.add(inner);
      return met;
    };
    const { account, group } = choice ?? {};
    let count = 0;
    for (const [n, cell] of cells.entries()) {
      const [set, names] = data.cells[n];
      const yes = account !== undefined ? has(set, account) : group !== undefined && reach(names).has(group);
      cell.classList.toggle("yes", yes);
      if (yes) count++;
    }
    const of = `${grouped(count)} of ${grouped(cells.length)}`;
    byId("said").textContent = !choice
      ? ""
      : choice.account !== undefined
        ? `${choice.name} may do what is marked ✓: ${of}.`
        : `Settings that name ${choice.name}, or a group that it is in, are marked ✓: ${of}.`;
    byId("nobody").hidden = !choice;
  }

  const input = /** @type {HTMLInputElement} */ (byId("person"));
  const list = byId("choices");
  const mostChoices = 8;
  /** @type {Choice[]} */
  let shownChoices = [];
  let active = -1;

  function updateSelection() {
    for (const [n, one] of [...list.children].entries()) one.setAttribute("aria-selected", String(n === active));
    if (active >= 0) input.setAttribute("aria-activedescendant", `choice-${active}`);
    else input.removeAttribute("aria-activedescendant");
  }
  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    updateSelection();
  }
  function showChoices() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    shownChoices = [];
    for (const choice of words.length ? choices() : [])
      if (shownChoices.length < mostChoices && words.every((word) => choice.searchText.includes(word)))
        shownChoices.push(choice);
    list.replaceChildren(
      ...shownChoices.map(({ name, aside }, n) => {
        const one = document.createElement("li");
        one.setAttribute("role", "option");
        one.id = `choice-${n}`;
        one.append(element("span", name), element("small", aside));
        one.addEventListener("mousedown", (event) => {
          event.preventDefault();
          choose(shownChoices[n]);
        });
        return one;
      }),
    );
    active = shownChoices.length ? 0 : -1;
    list.hidden = !shownChoices.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    updateSelection();
  }
  /** @param {Choice | undefined} choice */
  function choose(choice) {
    input.value = choice ? choice.name : "";
    close();
    highlight(choice);
  }
  input.addEventListener("input", showChoices);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (list.hidden) choose(undefined);
      else close();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (shownChoices[active]) choose(shownChoices[active]);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
      event.preventDefault();
      active = (active + (event.key === "ArrowDown" ? 1 : -1) + shownChoices.length) % shownChoices.length;
      updateSelection();
    }
  });
  byId("nobody").addEventListener("click", () => {
    choose(undefined);
    input.focus();
  });

  // The picture: Tab reaches one group, arrows reach the others.

  const svg = byId("picture");
  const nodes = /** @type {(HTMLElement & SVGAElement)[]} */ (/** @type {unknown} */ (all(svg, "a")));
  const lines = all(svg, ".line");
  const middles = nodes.map((node) => {
    const matrix = node.transform.baseVal.consolidate()?.matrix;
    return { x: matrix?.e ?? 0, y: matrix?.f ?? 0 };
  });
  const idOf = (/** @type {Element} */ node) => (node.getAttribute("href") ?? "").slice(2);

  /** @param {Element | undefined} node shows what it contains and what it is in */
  function follow(node) {
    const id = node && idOf(node);
    const near = new Set(id === undefined ? [] : [id]);
    for (const line of lines) {
      const { from, to } = line.dataset;
      const is = id !== undefined && (from === id || to === id);
      line.classList.toggle("near", is);
      if (is) near.add(from ?? "").add(to ?? "");
    }
    svg.classList.toggle("follow", near.size > 1);
    for (const one of nodes) one.classList.toggle("near", near.has(idOf(one)));
  }
  for (const [n, node] of nodes.entries()) {
    node.setAttribute("tabindex", n ? "-1" : "0");
    node.addEventListener("focus", () => {
      for (const other of nodes) other.setAttribute("tabindex", other === node ? "0" : "-1");
      follow(node);
    });
    node.addEventListener("blur", () => follow(undefined));
    node.addEventListener("mouseenter", () => follow(node));
    node.addEventListener("mouseleave", () => follow(undefined));
    node.addEventListener("click", () => choose(choices().find(({ group }) => String(group) === idOf(node))));
    node.addEventListener("keydown", (event) => {
      /** @type {Record<string, [number, number]>} */
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      const from = middles[n];
      // The nearest group in this direction. Distance to the side counts twice.
      let [best, least] = [-1, Number.POSITIVE_INFINITY];
      for (const [other, { x, y }] of middles.entries()) {
        const ahead = (x - from.x) * way[0] + (y - from.y) * way[1];
        const beside = Math.abs((x - from.x) * way[1]) + Math.abs((y - from.y) * way[0]);
        if (ahead > 0 && ahead + 2 * beside < least) [best, least] = [other, ahead + 2 * beside];
      }
      nodes[best]?.focus();
    });
  }

  // A link clears the filter that hides its row.

  addEventListener("hashchange", () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row?.hidden) return;
    const input = document.querySelector(`[data-table="${row.closest("table")?.id}"]`);
    if (!(input instanceof HTMLInputElement)) return;
    input.value = "";
    input.dispatchEvent(new Event("input"));
    row.scrollIntoView();
  });

  // The first search is slow: prepare it.

  const whenIdle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 200));
  whenIdle(choices);
})();
