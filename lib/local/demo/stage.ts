import pc from 'picocolors';

/** Where the demo is shown: a terminal, or plain text without colours and animation. */
export type Stage = {
  /** Shows that something takes its time, until the returned function is called with its result. */
  wait(what: string): (done: string) => void;
  /** Opens the next scene. `at`: the service's clock, ISO. */
  scene(title: string, at: string): void;
  /** Rows of a name and a value, the names aligned. */
  rows(rows: readonly (readonly [string, string])[]): void;
  /** Reports a check that succeeded. */
  check(text: string): void;
  /** Something that is wrong on purpose, as the story wants it. */
  trouble(text: string): void;
  quote(text: string): void;
  end(milliseconds: number): void;
  fail(message: string): void;
};

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const labelWidth = 22;

const print = (line = ''): void => void process.stdout.write(`${line}\n`);

/** A moving mark while something takes its time; without a terminal, one line before and one after. */
const spinner = (what: string): ((done: string) => void) => {
  if (!process.stdout.isTTY) {
    print(`  … ${what}`);
    return (done) => print(`  ✓ ${done}`);
  }
  let frame = 0;
  const begun = performance.now();
  const draw = () => {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(
      `\r\u001b[K  ${pc.cyan(frames[frame % frames.length] ?? '')} ${what} ${pc.dim(`${seconds} s`)}`,
    );
    frame += 1;
  };
  draw();
  const timer = setInterval(draw, 80);
  return (done) => {
    clearInterval(timer);
    process.stdout.write(`\r\u001b[K  ${pc.green('✓')} ${done}\n`);
  };
};

/** The stage of this process's standard output. */
export const createStage = (): Stage => {
  let number = 0;
  let finish: ((done: string) => void) | undefined;
  return {
    wait: (what) => {
      finish = spinner(what);
      return (done) => {
        finish?.(done);
        finish = undefined;
      };
    },
    scene: (title, at) => {
      number += 1;
      const clock = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
      print();
      print(`${pc.bold(pc.cyan(String(number).padStart(2)))}  ${pc.bold(title.padEnd(54))} ${pc.dim(clock)}`);
    },
    rows: (rows) => {
      for (const [name, value] of rows) print(`    ${pc.dim(name.padEnd(labelWidth))} ${value}`);
    },
    check: (text) => print(`    ${pc.green('✓')} ${text}`),
    trouble: (text) => print(`    ${pc.yellow('!')} ${text}`),
    quote: (text) => {
      for (const line of text.trim().split('\n')) print(`    ${pc.dim('│')} ${line}`);
    },
    end: (milliseconds) => {
      print();
      print(pc.green(`The whole story, ${(milliseconds / 1000).toFixed(1)} s of your time. Nothing was mocked.`));
      print(pc.dim('Your turn: npm start, then follow docs/quickstart.md.'));
    },
    fail: (message) => {
      finish?.('stopped');
      process.stderr.write(`\n${pc.red('✗')} ${message}\n`);
    },
  };
};

/** The same for programs: each step is a line of JSON on standard output. */
export const createJsonStage = (): Stage => {
  const say = (step: Readonly<Record<string, unknown>>): void => print(JSON.stringify(step));
  return {
    wait: (what) => {
      say({ step: 'begun', text: what });
      return (done) => say({ step: 'done', text: done });
    },
    scene: (title, at) => say({ step: 'scene', text: title, at }),
    rows: (rows) => say({ step: 'values', values: Object.fromEntries(rows) }),
    check: (text) => say({ step: 'checked', text }),
    trouble: (text) => say({ step: 'trouble', text }),
    quote: (text) => say({ step: 'quoted', text }),
    end: (milliseconds) => say({ step: 'end', milliseconds: Math.round(milliseconds) }),
    fail: (message) => say({ step: 'failed', text: message }),
  };
};
