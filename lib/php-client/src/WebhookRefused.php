<?php

declare(strict_types=1);

namespace Forewarn;

/** A call that Forewarn did not make, that is too old, or that was changed on the way. */
final class WebhookRefused extends \RuntimeException
{
}
