import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createResolver, type Found } from '#lib/local/template/resolver.ts';
import { readTemplate, type Template } from '#lib/local/template/template.ts';

const template = (change: Partial<Template> = {}): Template => ({
  stackName: 'stack',
  folder: '/nowhere',
  nested: {},
  Parameters: { Size: { Default: '7' } },
  Conditions: { IsBig: { 'Fn::Equals': [{ Ref: 'Size' }, '7'] }, IsSmall: { 'Fn::Not': [{ Condition: 'IsBig' }] } },
  Mappings: { Sizes: { eu: { small: 's' } } },
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
    Optional: { Type: 'AWS::SQS::Queue', Properties: {}, Condition: 'IsSmall' },
    Odd: { Type: 'AWS::Odd::Thing', Properties: {} },
  },
  Outputs: {},
  ...change,
});
const fakeAttributes = ({ id, type }: Found) =>
  type === 'AWS::SQS::Queue' ? { '': `url-of-${id}`, Arn: `arn-of-${id}` } : undefined;
const resolver = createResolver(template(), fakeAttributes);

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

describe('a stack nested in another', () => {
  const inner = template({
    stackName: 'inner',
    Parameters: { QueueArn: {}, Size: { Default: '7' }, Left: { Default: 'as it was' } },
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
      Reader: {
        Type: 'AWS::Lambda::Function',
        Properties: { from: { Ref: 'QueueArn' }, own: { 'Fn::GetAtt': ['Queue', 'Arn'] }, size: { Ref: 'Size' } },
      },
    },
    Outputs: { Where: { Value: { 'Fn::Join': ['!', [{ Ref: 'Left' }, { Ref: 'Queue' }]] } } },
  });
  const main = template({
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
      Inner: {
        Type: 'AWS::CloudFormation::Stack',
        Properties: { Parameters: { QueueArn: { 'Fn::GetAtt': ['Queue', 'Arn'] }, Size: '8' } },
      },
    },
    nested: { Inner: inner },
  });
  const whole = createResolver(main, fakeAttributes);

  it('has resources of its own, whose parameters are what the outer one gives', () => {
    const [reader] = whole.ofType('AWS::Lambda::Function');
    expect(reader?.id).toBe('Inner/Reader');
    expect(reader?.resolve(reader.properties)).toEqual({ from: 'arn-of-Queue', own: 'arn-of-Inner/Queue', size: '8' });
    expect(whole.ofType('AWS::SQS::Queue').map(({ id }) => id)).toEqual(['Queue', 'Inner/Queue']);
  });

  it('gives its outputs', () =>
    expect(whole.resolve({ 'Fn::GetAtt': ['Inner', 'Outputs.Where'] })).toBe('as it was!url-of-Inner/Queue'));

  it('is not there where its condition does not hold', () => {
    const Inner = { Type: 'AWS::CloudFormation::Stack', Properties: {}, Condition: 'IsSmall' };
    const without = createResolver(template({ Resources: { Inner }, nested: { Inner: inner } }), fakeAttributes);
    expect(without.ofType('AWS::SQS::Queue')).toEqual([]);
  });

  it("is found next to the template by the upload's name", () => {
    const folder = mkdtempSync(join(tmpdir(), 'forewarn-template-'));
    const hash = 'ab'.repeat(32);
    const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
    const stack = (TemplateURL: unknown) => ({
      Resources: {
        Api: { Type: 'AWS::ApiGateway::RestApi' },
        Inner: { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL } },
      },
    });
    write('main.template.json', stack({ 'Fn::Join': ['', ['https://s3/', { Ref: 'Bucket' }, `/${hash}.json`]] }));
    write('main.assets.json', { files: { [hash]: { source: { path: 'mainInner.nested.template.json' } } } });
    write('mainInner.nested.template.json', { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } });
    expect(Object.keys(readTemplate(folder).nested['Inner']?.Resources ?? {})).toEqual(['Queue']);
    write('main.template.json', stack('https://elsewhere/template.json'));
    expect(() => readTemplate(folder)).toThrow('holds no template for the nested stack Inner');
  });
});
