// A plain page: every location's game, its clock and its balls, as the server's events tell them.
const floor = document.getElementById("floor");

const element = (name, className, text = "") => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
};

class Board {
  constructor(location) {
    this.location = location;
    this.root = element("section");
    this.head = element("header");
    this.trouble = element("p", "trouble");
    this.trouble.hidden = true;
    this.grid = element("div", "grid");
    this.order = element("div", "order");
    this.small = element("p", "small");
    this.cells = Array.from({ length: 80 }, (_, i) => element("b", "", i + 1));
    this.grid.append(...this.cells);
    this.root.append(this.head, this.trouble, this.order, this.grid, this.small);
    this.connect();
    setInterval(() => this.clock(), 250);
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/board/${this.location}`);
    socket.onmessage = (frame) => this.hear(JSON.parse(frame.data));
    socket.onclose = () => {
      this.lost = true;
      this.show();
      setTimeout(() => this.connect(), 1000 + Math.random() * 2000);
    };
  }

  hear(event) {
    if (event.type === "state") {
      this.state = event;
      this.lost = false;
      this.heard = performance.now();
    } else if (event.type === "ball" && this.state?.drawing?.game === event.game) {
      this.state.drawing.balls[event.index] = event.number;
    } else if (event.type === "result") {
      this.state.last = { ...this.state.last, ...event };
    }
    this.show();
  }

  clock() {
    if (!this.time || !this.state?.open) return;
    const left = this.state.open.closes_in_ms;
    if (left === null) return;
    const seconds = Math.max(0, Math.ceil((left - (performance.now() - this.heard)) / 1000));
    this.time.textContent = `closes in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  show() {
    const { open, drawing, last, trouble, value, site, changes } = this.state ?? {};
    const words = this.lost ? "Connection lost. Trying again …" : trouble;
    this.trouble.textContent = words ?? "";
    this.trouble.hidden = !words;
    if (!this.state) return;
    this.time = element("span", `clock ${open?.closing ? "closing" : ""}`);
    if (open && open.closes_in_ms === null) this.time.textContent = open.mode;
    this.head.replaceChildren(
      element("h1", "", `${site} · ${this.location}`),
      element("span", "game", open ? `Now selling ${open.name}` : "Opening …"),
      this.time,
      element("span", "novalue", value ? "" : "NO VALUE"),
    );
    const balls = drawing ? drawing.balls : (last?.numbers ?? []);
    this.cells.forEach((cell, i) => {
      cell.className = balls.includes(i + 1) ? "lit" : "";
      if (drawing && balls.at(-1) === i + 1) cell.className = "lit new";
    });
    const title = drawing ? `Drawing ${drawing.name}` : last ? `Last ${last.name}` : "";
    this.order.replaceChildren(
      element("strong", "", title),
      ...balls.map((ball) => element("span", "", ball)),
    );
    const ahead = changes.map((c) => `Rate card ${c.card} from game ${c.first_game}.`).join(" ");
    this.small.textContent = `${ahead} Commitment of ${open?.name ?? ""}: ${open?.commitment ?? ""}`;
    this.clock();
  }
}

const locations = await (await fetch("/api/locations")).json();
floor.replaceChildren(...locations.map((each) => new Board(each.location).root));
