import { describe, expect, it } from 'vitest';
import { createResolver } from '../../lib/local/template/resolver.ts';
import type { Template } from '../../lib/local/template/template.ts';

const template = (change: Partial<Template> = {}): Template => ({
  stackName: 'stack',
  folder: '/nowhere',
  Parameters: { Size: { Default: '7' } },
  Conditions: { IsBig: { 'Fn::Equals': [{ Ref: 'Size' }, '7'] }, IsSmall: { 'Fn::Not': [{ Condition: 'IsBig' }] } },
  Mappings: { Sizes: { eu: { small: 's' } } },
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
    Optional: { Type: 'AWS::SQS::Queue', Properties: {}, Condition: 'IsSmall' },
    Odd: { Type: 'AWS::Odd::Thing', Properties: {} },
  },
  ...change,
});
const resolver = createResolver(template(), ({ id, type }) =>
  type === 'AWS::SQS::Queue' ? { '': `url-of-${id}`, Arn: `arn-of-${id}` } : undefined,
);

describe('a template', () => {
  it.each([
    [{ Ref: 'Queue' }, 'url-of-Queue'],
    [{ Ref: 'AWS::Region' }, 'eu-west-1'],
    [{ Ref: 'Size' }, '7'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn-of-Queue'],
    [{ 'Fn::GetAtt': 'Queue.Arn' }, 'arn-of-Queue'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Size' }, 'c']] }, 'a-7-c'],
    [
      { 'Fn::Sub': ['$' + '{Queue.Arn}/$' + '{name}/$' + '{!kept}', { name: { Ref: 'Size' } }] },
      'arn-of-Queue/7/$' + '{kept}',
    ],
    [{ 'Fn::Select': [1, { 'Fn::Split': [',', 'a,b,c'] }] }, 'b'],
    [{ 'Fn::If': ['IsBig', 'big', 'small'] }, 'big'],
    [{ a: { 'Fn::If': ['IsSmall', 'x', { Ref: 'AWS::NoValue' }] }, b: 1 }, { b: 1 }],
    [{ 'Fn::FindInMap': ['Sizes', 'eu', 'small'] }, 's'],
    [
      { Statement: [{ Condition: { StringEquals: { x: 'y' } } }] },
      { Statement: [{ Condition: { StringEquals: { x: 'y' } } }] },
    ],
  ])('works out %j', (value, expected) => expect(resolver.resolve(value)).toEqual(expected));

  it('leaves out resources whose condition does not hold', () =>
    expect(resolver.ofType('AWS::SQS::Queue').map(({ id }) => id)).toEqual(['Queue']));

  it.each([
    [{ Ref: 'Nowhere' }, 'The template refers to Nowhere, which it does not hold.'],
    [{ 'Fn::GetAtt': ['Odd', 'Arn'] }, 'The local stack cannot work out Fn::GetAtt Arn of Odd (AWS::Odd::Thing).'],
    [{ 'Fn::ImportValue': 'x' }, 'The local stack does not know Fn::ImportValue in a template.'],
  ])('says what it cannot work out: %j', (value, message) => expect(() => resolver.resolve(value)).toThrow(message));
});
