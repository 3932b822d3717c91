import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../app/preferences.ts';

type Tone = 'act' | 'good' | 'warn';
type Series = { label: string; values: readonly number[]; tone: Tone };
type ChartProps = {
  /** Says to those who do not see it what it is of, and where the same stands as a table. */
  label: string;
  dates: readonly string[];
  series: readonly Series[];
};

const height = 220;
const dashes: Readonly<Record<Tone, number[]>> = { act: [], good: [8, 4], warn: [2, 3] };

const colour = (element: Element, name: string): string =>
  getComputedStyle(element).getPropertyValue(`--${name}`).trim();

/** A colour pair such as `light-dark(#a, #b)` is resolved by an element that has it. */
const resolved = (element: HTMLElement, name: string): string => {
  const probe = document.createElement('span');
  probe.className = name;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color || colour(element, name);
};

const dateLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const secondsOf = (date: string): number => Date.parse(date.length === 7 ? `${date}-01` : date) / 1000;

const optionsOf = (element: HTMLElement, series: readonly Series[]): uPlot.Options => {
  const [ink, line] = [resolved(element, 'quiet'), 'rgba(128, 140, 160, 0.25)'];
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_, __, most) => [0, Math.max(4, Math.ceil(most * 1.1))] } },
    axes: [
      { ...axis, values: (_, times) => times.map((seconds) => dateLabel.format(seconds * 1000)) },
      { ...axis, size: 44 },
    ],
    series: [
      {},
      ...series.map(({ label, tone }) => ({
        label,
        stroke: resolved(element, tone),
        width: 2,
        dash: dashes[tone],
        points: { size: 5 },
      })),
    ],
  };
};

/** Lines over time; told apart by their dashes as well as by colour. */
export const Chart = ({ label, dates, series }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null);
  const look = theme.value;
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const data: uPlot.AlignedData = [dates.map(secondsOf), ...series.map(({ values }) => [...values])];
    let plot = new uPlot(optionsOf(element, series), data, element);
    const redraw = () => {
      plot.destroy();
      plot = new uPlot(optionsOf(element, series), data, element);
    };
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    return () => {
      scheme.removeEventListener('change', redraw);
      resizing.disconnect();
      plot.destroy();
    };
  }, [JSON.stringify([dates, series]), look]);
  return (
    <figure class="figure">
      <ul class="legend" aria-hidden="true">
        {series.map(({ label: name, tone }) => (
          <li key={name} class={tone}>
            <svg viewBox="0 0 28 4" aria-hidden="true">
              <line x1="0" y1="2" x2="28" y2="2" stroke-dasharray={dashes[tone].join(' ')} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <div ref={place} class="chart" role="img" aria-label={label} />
    </figure>
  );
};
