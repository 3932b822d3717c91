<?php
// A receiver of Forewarn's callbacks in PHP 8, without dependencies:
//   SIGNING_SECRET=whsec_… php -S 127.0.0.1:8080 receiver.php
declare(strict_types=1);

const FIVE_MINUTES = 300;

/** Whether a request comes from Forewarn: signed with your secret, over these very bytes, within five minutes. */
function is_genuine(string $body): bool
{
    $key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('SIGNING_SECRET')), true);
    if ($key === false || $key === '') {
        throw new RuntimeException('SIGNING_SECRET must be the signing secret of your site, whsec_…');
    }
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $seconds = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($id === '' || !ctype_digit($seconds) || abs(time() - (int) $seconds) > FIVE_MINUTES) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$seconds.$body", $key, true));
    // While you rotate the secret there are two signatures, separated by a space. One that is yours will do.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

function fields_of(string $contentType, string $body): array
{
    if (str_starts_with($contentType, 'application/json')) {
        return json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    }
    // Not $_POST: it is filled from the same bytes, but PHP renames fields with dots and spaces.
    parse_str($body, $fields);
    if (isset($fields['txdetails'])) {
        $fields['txdetails'] = json_decode($fields['txdetails'], true, 64, JSON_THROW_ON_ERROR);
    }
    return $fields;
}

function receive(string $body): int
{
    // Your bearer token, if you have set one on the site.
    $token = getenv('TOKEN');
    if ($token && !hash_equals("Bearer $token", $_SERVER['HTTP_AUTHORIZATION'] ?? '')) {
        return 401;
    }
    if (!is_genuine($body)) {
        return 401;
    }
    // Every attempt at one notification has the same webhook-id: look for $_SERVER['HTTP_WEBHOOK_ID'] in your database here.
    $fields = fields_of($_SERVER['CONTENT_TYPE'] ?? '', $body);
    // Store it, answer, and work on it afterwards: you have 15 seconds.
    $subject = $fields['alert_id'] ?? $fields['request_id'] ?? '';
    $state = $fields['alert_type'] ?? $fields['status'] ?? '';
    file_put_contents('php://stderr', ($fields['action'] ?? 'new_alert') . " $subject $state\n");
    return 204;
}

http_response_code(receive((string) file_get_contents('php://input')));
