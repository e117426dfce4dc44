"""The engines that come with the kit, each behind the engine protocol."""
