import { Component, type ComponentType, h } from 'preact';

/**
 * Returns a component that is drawn again only when one of its properties is another value, for rows of long lists. Signals that it reads are
 * still followed.
 */
export const skipUnchanged = <Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> =>
  class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const [before, after] = [Object.entries(this.props), new Map(Object.entries(next))];
      return before.length !== after.size || before.some(([name, value]) => !Object.is(value, after.get(name)));
    }

    override render(props: Props) {
      return h(Inner, props);
    }
  };
