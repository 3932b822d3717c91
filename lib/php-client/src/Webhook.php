<?php

declare(strict_types=1);

namespace Forewarn;

/** A verified webhook. `$id` is the same in every attempt of one notification, so that you can ignore repeats. */
final class Webhook
{
    private const TOLERANCE_SECONDS = 300;
    /** In bytes, as Standard Webhooks asks: a shorter key is a secret that was not set, or not copied completely. */
    private const SHORTEST_KEY = 24;
    private const KINDS = [
        'statusupdate' => 'status_update',
        'alert_deadline' => 'alert_deadline',
        'enrollment_request_status_update' => 'enrollment_update',
    ];

    /** @param array<string, mixed> $fields */
    private function __construct(public readonly string $kind, public readonly string $id, public readonly array $fields)
    {
    }

    /**
     * Verifies a webhook with the site's signing secret (`whsec_…`) and reads its fields, from a form or from JSON.
     *
     * @param array<string, string> $headers such as `getallheaders()` returns
     * @param string $body as received: `file_get_contents('php://input')`
     * @param ?int $now Unix seconds; the system's time by default
     * @throws WebhookRefused
     */
    public static function open(array $headers, string $body, ?string $secret, ?int $now = null): self
    {
        $given = array_change_key_case($headers);
        $header = fn (string $name): string => $given[$name] ?? throw new WebhookRefused("The header $name is missing.");
        $key = self::keyOf($secret);
        $id = $header('webhook-id');
        self::verify($key, $id, $header('webhook-timestamp'), $header('webhook-signature'), $body, $now ?? time());
        $isJson = str_starts_with($header('content-type'), 'application/json');
        try {
            $fields = $isJson ? json_decode($body, true, 64, JSON_THROW_ON_ERROR) : self::fieldsOfForm($body);
        } catch (\JsonException) {
            throw new WebhookRefused('The body cannot be read.');
        }
        $isPostback = isset($fields['txid']) && !isset($fields['alert_type']);
        $kind = self::KINDS[$fields['action'] ?? ''] ?? ($isPostback ? 'postback' : 'new_alert');
        return new self($kind, $id, $fields);
    }

    private static function keyOf(?string $secret): string
    {
        $key = base64_decode(preg_replace('/^whsec_/', '', trim($secret ?? '')), true);
        if ($key === false) {
            throw new WebhookRefused('The signing secret is not base64.');
        }
        if (strlen($key) < self::SHORTEST_KEY) {
            throw new WebhookRefused("The signing secret is missing or too short: use the site's secret, whsec_….");
        }
        return $key;
    }

    private static function verify(string $key, string $id, string $seconds, string $signatures, string $body, int $now): void
    {
        if (!ctype_digit($seconds) || abs($now - (int) $seconds) > self::TOLERANCE_SECONDS) {
            throw new WebhookRefused('The timestamp is more than five minutes away.');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$seconds.$body", $key, true));
        // There are two signatures while a secret is rotated; one of them must match.
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($expected, $signature)) {
                return;
            }
        }
        throw new WebhookRefused('No signature fits.');
    }

    /** @return array<string, mixed> */
    private static function fieldsOfForm(string $body): array
    {
        parse_str($body, $fields);
        if (($fields['txdetails'] ?? '') !== '') {
            $fields['txdetails'] = json_decode($fields['txdetails'], true, 64, JSON_THROW_ON_ERROR);
        }
        return $fields;
    }
}
